package dev.holdfast.operator.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Line;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.operator.feed.WebSocketApiServer.Request;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the client of policies reads only the metadata that Holdfast uses, whatever it asked for. */
@Timeout(60)
class TrimmedMetadataTest {
    private static final String POLICY = """
        {"apiVersion":"holdfast.dev/v1alpha1","kind":"PlacementPolicy","metadata":{"namespace":"shop","name":"web",\
        "uid":"a","resourceVersion":"7","generation":3,"labels":{"team":"shop"},\
        "annotations":{"note":"long","nested":{"a":["b"]},"holdfast.dev/acknowledge":"b-1"},\
        "finalizers":["example.com/wait"],\
        "ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"a","uid":"b"}],\
        "managedFields":[{"manager":"kubectl","operation":"Apply"}]},"spec":{"mode":"Audit"}}\
        """;

    private static final String KEPT = """
        ---
        annotations:
          holdfast.dev/acknowledge: "b-1"
        generation: 3
        name: "web"
        namespace: "shop"
        resourceVersion: "7"
        uid: "a"
        """;

    private final BlockingQueue<Line> watches = new LinkedBlockingQueue<>();
    private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private final WebSocketApiServer server = new WebSocketApiServer(this::reply);
    private final KubernetesClient client = ApiClients.watching(server.connection(), Duration.ofSeconds(5));

    private Reply reply(Request request) {
        requests.add(request);
        if (request.isWatch()) {
            return new Reply.Opens(watches::add);
        }
        return new Reply.Says(
                200,
                request.target().contains("/web")
                        ? POLICY
                        : "{\"apiVersion\":\"holdfast.dev/v1alpha1\",\"kind\":\"PlacementPolicyList\",\"metadata\":"
                                + "{\"resourceVersion\":\"100\"},\"items\":[" + POLICY + "]}");
    }

    private static String metadata(HasMetadata object) {
        return Serialization.asYaml(object.getMetadata());
    }

    private static PlacementPolicy patch() {
        PlacementPolicy patch = new PlacementPolicy();
        patch.setMetadata(new ObjectMetaBuilder()
                .withNamespace("shop")
                .withName("web")
                .withLabels(Map.of("team", "shop"))
                .build());
        return patch;
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void aListHasOnlyTheMetadataThatIsUsed() {
        assertThat(client.resources(PlacementPolicy.class)
                        .inAnyNamespace()
                        .list()
                        .getItems())
                .extracting(TrimmedMetadataTest::metadata)
                .containsExactly(KEPT);
    }

    @Test
    void aWatchEventHasOnlyTheMetadataThatIsUsed() throws Exception {
        BlockingQueue<PlacementPolicy> watched = new LinkedBlockingQueue<>();
        try (Watch _ = client.resources(PlacementPolicy.class).inAnyNamespace().watch(new Watcher<>() {
            @Override
            public void eventReceived(Action action, PlacementPolicy policy) {
                watched.add(policy);
            }

            @Override
            public void onClose(WatcherException cause) {}
        })) {
            Line watch = Optional.ofNullable(watches.poll(20, TimeUnit.SECONDS)).orElseThrow();

            watch.send("ADDED", POLICY);

            assertThat(Optional.ofNullable(watched.poll(20, TimeUnit.SECONDS)).map(TrimmedMetadataTest::metadata))
                    .contains(KEPT);
        }
    }

    @Test
    void theAnswerToAWriteHasOnlyTheMetadataThatIsUsed() {
        assertThat(metadata(client.resource(patch()).serverSideApply())).isEqualTo(KEPT);
    }

    @Test
    void aWriteSendsAllMetadata() {
        client.resource(patch()).serverSideApply();

        assertThat(requests)
                .singleElement()
                .extracting(Request::body)
                .asString()
                .contains("\"labels\":{\"team\":\"shop\"}");
    }

    @Test
    void ofTheAcknowledgementsOnly1024CharactersAreKept() throws Exception {
        String ids = "b-1," + "x".repeat(250_000);

        PlacementPolicy policy = TrimmedMetadata.mapper().readValue(POLICY.replace("b-1", ids), PlacementPolicy.class);

        assertThat(policy.getMetadata().getAnnotations())
                .isEqualTo(Map.of("holdfast.dev/acknowledge", ids.substring(0, 1_024)));
    }
}
