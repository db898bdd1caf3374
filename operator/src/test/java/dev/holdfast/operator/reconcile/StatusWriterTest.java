package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.crds.v1alpha1.status.PauseStatus;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.operator.feed.WebSocketApiServer.Request;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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
        pause.setStatus(new PauseStatus(4L, List.of(), null));
        return pause;
    }

    private static final PolicyStatus POLICY_STATUS =
            new KubernetesSerialization().unmarshal("{\"observedGeneration\": 4}", PolicyStatus.class);

    private static PlacementPolicy namespaced() {
        PlacementPolicy policy = new PlacementPolicy();
        policy.setMetadata(
                new ObjectMetaBuilder().withNamespace("shop").withName("web").build());
        policy.setStatus(POLICY_STATUS);
        return policy;
    }

    private static ClusterPlacementPolicy ofCluster() {
        ClusterPlacementPolicy policy = new ClusterPlacementPolicy();
        policy.setMetadata(new ObjectMetaBuilder().withName("web").build());
        policy.setStatus(POLICY_STATUS);
        return policy;
    }

    static Stream<Arguments> statuses() {
        String body = "{\"apiVersion\":\"holdfast.dev/v1alpha1\",\"kind\":\"%s\",\"metadata\":{%s},"
                + "\"status\":{\"observedGeneration\":4}}";
        return Stream.of(
                argumentSet("of a pause", freeze(), body.formatted("EnforcementPause", "\"name\":\"freeze\"")),
                argumentSet(
                        "of a PlacementPolicy",
                        namespaced(),
                        body.formatted("PlacementPolicy", "\"name\":\"web\",\"namespace\":\"shop\"")),
                argumentSet(
                        "of a ClusterPlacementPolicy",
                        ofCluster(),
                        body.formatted("ClusterPlacementPolicy", "\"name\":\"web\"")));
    }

    @ParameterizedTest
    @MethodSource("statuses")
    void theStatusAloneIsSent(HasMetadata object, String body) {
        writer.carryOut(UpdateControl.patchStatus(object));

        assertThat(requests).singleElement().extracting(Request::body).isEqualTo(body);
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
