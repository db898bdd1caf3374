package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is made of an API server's answers when it is asked for the policy kinds. */
class InstalledKindsTest {
    private static final String NAMESPACED = "/apis/holdfast.dev/v1alpha1/placementpolicies";
    private static final String CLUSTER = "/apis/holdfast.dev/v1alpha1/clusterplacementpolicies";
    private static final String PAUSES = "/apis/holdfast.dev/v1alpha1/enforcementpauses";
    private static final String EMPTY = "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[]}";

    private final Map<String, Deque<Integer>> answers = new ConcurrentHashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private final HttpServer server = start();
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder()
                    .withAutoConfigure(false)
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .build())
            .build();
    private volatile String body = EMPTY;

    private HttpServer start() {
        try {
            HttpServer started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            started.createContext("/", exchange -> {
                String path = exchange.getRequestURI().getPath();
                asked.add(path);
                Integer status = answersTo(path).poll();
                boolean served = status == null;
                byte[] bytes = (served ? body : "{}").getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(served ? 200 : status, bytes.length);
                exchange.getResponseBody().write(bytes);
                exchange.close();
            });
            started.start();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    private Deque<Integer> answersTo(String path) {
        return answers.computeIfAbsent(path, _ -> new ConcurrentLinkedDeque<>());
    }

    private void answer(String path, Integer... statuses) {
        answersTo(path).addAll(List.of(statuses));
    }

    @Test
    void bothKindsOfPoliciesAreCountedByTheFirstOfEach() throws Exception {
        body = "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"remainingItemCount\":6},\"items\":[{}]}";

        assertThat(new InstalledKinds(client).await()).isEqualTo(14);
        assertThat(asked).containsExactly(NAMESPACED, CLUSTER, PAUSES);
    }

    @Test
    void aClusterWithoutTheKindsIsRefusedWithWhatToDo() {
        answer(NAMESPACED, 404);

        assertThatThrownBy(() -> new InstalledKinds(client).await())
                .isInstanceOf(InstalledKinds.MissingException.class)
                .hasMessage("PlacementPolicy CRD is not installed: run `holdfast crds | kubectl apply --server-side"
                        + " -f -` or install the chart");
    }

    @Test
    void oneKindIsNotEnough() {
        answer(CLUSTER, 404);

        assertThatThrownBy(() -> new InstalledKinds(client).await())
                .hasMessageStartingWith("ClusterPlacementPolicy CRD is not installed: ");
    }

    @Test
    void withoutTheKindOfPausesNobodyCouldStopItSoThatItDoesNotStart() {
        answer(PAUSES, 404);

        assertThatThrownBy(() -> new InstalledKinds(client).await())
                .isInstanceOf(InstalledKinds.MissingException.class)
                .message()
                .startsWith("EnforcementPause CRD is not installed: run ")
                .doesNotContain("\n");
    }

    @Test
    void wrongCredentialsAreRefused() {
        answer(NAMESPACED, 401);

        assertThatThrownBy(() -> new InstalledKinds(client).await())
                .isInstanceOf(InstalledKinds.MissingException.class)
                .message()
                .startsWith("the API server does not know who is asking: renew the credentials of the kubeconfig (")
                .doesNotContain("\n");
    }

    @Test
    void aMissingRightIsRefused() {
        answer(NAMESPACED, 403);

        assertThatThrownBy(() -> new InstalledKinds(client).await())
                .isInstanceOf(InstalledKinds.MissingException.class)
                .message()
                .startsWith("may not list PlacementPolicy: give the user of the kubeconfig the chart's ClusterRole (");
    }

    @Test
    void anApiServerInTroubleIsWaitedFor() throws Exception {
        answer(NAMESPACED, 503, 429, 500);

        assertThat(new InstalledKinds(client, pauses::add).await()).isZero();
        assertThat(asked).containsExactly(NAMESPACED, NAMESPACED, NAMESPACED, NAMESPACED, CLUSTER, PAUSES);
    }

    @Test
    void thePausesGrowToFiveSeconds() throws Exception {
        answer(NAMESPACED, 503, 503, 503, 503, 503, 503, 503);

        assertThat(new InstalledKinds(client, pauses::add).await()).isZero();
        assertThat(pauses)
                .extracting(Duration::toMillis)
                .containsExactly(250L, 500L, 1000L, 2000L, 4000L, 5000L, 5000L);
    }
}
