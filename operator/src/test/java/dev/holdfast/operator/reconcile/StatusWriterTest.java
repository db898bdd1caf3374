package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.operator.feed.WebSocketApiServer.Request;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how statuses are written, and that nothing of a spec is kept. */
@Timeout(60)
class StatusWriterTest {
    private static final Duration SOON = Duration.ofSeconds(7);

    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final WebSocketApiServer server = new WebSocketApiServer(request -> {
        requests.add(request);
        return new Reply.Says(200, """
            {"apiVersion":"holdfast.dev/v1alpha1","kind":"EnforcementPause","metadata":{"name":"freeze"},\
            "spec":{"reason":"stop"},"status":{"observedGeneration":3}}\
            """);
    });
    private final KubernetesClient client = ApiClients.writingStatus(server.connection(), Duration.ofSeconds(5));
    private final StatusWriter writer = new StatusWriter(client);

    @AfterEach
    void close() {
        writer.close();
        server.close();
    }

    private static EnforcementPause freeze() {
        EnforcementPause pause = new EnforcementPause();
        pause.setMetadata(new ObjectMetaBuilder().withName("freeze").build());
        return pause;
    }

    @Test
    void aStatusIsAppliedAndTheSdkHasNothingLeftToWrite() {
        UpdateControl<EnforcementPause> rest =
                writer.carryOut(UpdateControl.patchStatus(freeze()).rescheduleAfter(SOON));

        assertThat(requests).singleElement().satisfies(request -> {
            assertThat(request.method()).isEqualTo("PATCH");
            assertThat(request.target())
                    .startsWith("/apis/holdfast.dev/v1alpha1/enforcementpauses/freeze/status?")
                    .contains("fieldManager=holdfast", "force=true");
            assertThat(request.headers().get("content-type")).startsWith("application/apply-patch+yaml");
        });
        assertThat(rest.isNoUpdate()).isTrue();
        assertThat(rest.getScheduleDelay()).contains(SOON.toMillis());
    }

    @Test
    void withoutAStatusNothingIsSent() {
        UpdateControl<EnforcementPause> rest =
                writer.carryOut(UpdateControl.<EnforcementPause>noUpdate().rescheduleAfter(SOON));

        assertThat(requests).isEmpty();
        assertThat(rest.getScheduleDelay()).contains(SOON.toMillis());
    }

    @Test
    void aResponseIsReadWithoutItsSpec() {
        EnforcementPause read = client.resource(freeze()).get();

        assertThat(read.getSpec()).isNull();
        assertThat(read.getStatus().observedGeneration()).isEqualTo(3L);
    }
}
