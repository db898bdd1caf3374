package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Tests the startup check with each kind of answer that an API server or a proxy may give. */
class InstalledKindsTest {
    private static final String NAMESPACED = "/apis/holdfast.dev/v1alpha1/placementpolicies";
    private static final String CLUSTER = "/apis/holdfast.dev/v1alpha1/clusterplacementpolicies";
    private static final String PAUSES = "/apis/holdfast.dev/v1alpha1/enforcementpauses";
    private static final String VERSION = "/version";
    private static final String EMPTY = "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[]}";

    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(InstalledKinds.class);

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
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

    /** The body of each response with an error status. */
    private volatile String refusal = "404 page not found";

    private volatile String version = "{\"major\": \"1\", \"minor\": \"37\"}";

    private HttpServer start() {
        try {
            HttpServer started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            started.createContext("/", exchange -> {
                String path = exchange.getRequestURI().getPath();
                asked.add(path);
                Integer status = answersTo(path).poll();
                boolean served = status == null;
                String said = path.equals(VERSION) ? version : body;
                byte[] bytes = (served ? said : refusal).getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(served ? 200 : status, bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
                exchange.close();
            });
            started.start();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeEach
    void listen() {
        lines.start();
        LOGGER.addAppender(lines);
    }

    private List<String> warnings() {
        return lines.list.stream()
                .filter(it -> it.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @AfterEach
    void stop() {
        LOGGER.detachAppender(lines);
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
        assertThat(asked).containsExactly(NAMESPACED, CLUSTER, PAUSES, VERSION);
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
    void withoutTheKindOfPausesNoUserCouldStopItSoThatItDoesNotStart() {
        answer(PAUSES, 404);

        assertThatThrownBy(() -> new InstalledKinds(client).await())
                .isInstanceOf(InstalledKinds.MissingException.class)
                .message()
                .startsWith("EnforcementPause CRD is not installed: run ")
                .doesNotContain("\n");
    }

    static Stream<Arguments> passing() {
        return Stream.of(
                argumentSet(
                        "unknown credentials",
                        401,
                        status("Unauthorized"),
                        "the API server does not accept our credentials (401) to list placementpolicies.holdfast.dev"),
                argumentSet(
                        "a missing right",
                        403,
                        status("no: User \\\"me\\\" cannot list resource"),
                        "the right to list placementpolicies.holdfast.dev is missing: grant it to User \"me\""),
                argumentSet(
                        "a proxy that forbids",
                        403,
                        "<html>Go away</html>",
                        "the API server, or a proxy in front of it, answered 403 to list"
                                + " placementpolicies.holdfast.dev: Forbidden"),
                argumentSet(
                        "an HTML page instead of a list",
                        200,
                        "<html>Please sign in</html>",
                        "cannot list placementpolicies.holdfast.dev: the answer cannot be read: it is not JSON of"
                                + " an API server"),
                argumentSet(
                        "an empty body instead of a list",
                        200,
                        "",
                        "cannot list placementpolicies.holdfast.dev: the answer is empty"),
                argumentSet(
                        "another object instead of a list",
                        200,
                        "{}",
                        "cannot list placementpolicies.holdfast.dev: the answer is not a list"),
                argumentSet(
                        "an API server with an internal error",
                        503,
                        status("not now"),
                        "the API server answered 503 to list placementpolicies.holdfast.dev: not now"));
    }

    private static String status(String message) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"" + message + "\"}";
    }

    @ParameterizedTest
    @MethodSource("passing")
    void whatMayPassIsWaitedForAndSaidInOneLine(int code, String said, String line) throws Exception {
        refusal = said;
        answer(NAMESPACED, code, code);
        List<String> waitedFor = new ArrayList<>();
        AtomicReference<InstalledKinds> kinds = new AtomicReference<>();
        kinds.set(new InstalledKinds(client, time -> waitedFor.add(kinds.get().waitedFor())));

        assertThat(kinds.get().await()).isZero();
        assertThat(waitedFor).containsExactly(line, line);
        assertThat(warnings()).containsExactly("Waiting for the API server");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>Please sign in</html>", "{}", ""})
    void aProxyThatKnowsNoPageIsNoClusterWithoutTheKinds(String anything) throws Exception {
        version = anything;
        answer(NAMESPACED, 404, 404);

        assertThat(new InstalledKinds(client, pauses::add).await()).isZero();
        assertThat(pauses).hasSize(2);
    }

    @Test
    void anApiServerThatTellsNoClientItsVersionIsOne() {
        answer(NAMESPACED, 404);
        answer(VERSION, 403);
        refusal = status("no");

        assertThatThrownBy(() -> new InstalledKinds(client).await())
                .hasMessageStartingWith("PlacementPolicy CRD is not installed: ");
    }

    private void says(String major, String minor, String name) {
        version = "{\"major\":\"" + major + "\",\"minor\":\"" + minor + "\",\"gitVersion\":\"" + name + "\"}";
    }

    @ParameterizedTest
    @CsvSource({"1, 32, v1.32.9", "1, 31+, v1.31.9-eks-1", "1, 5, v1.5.2", "0, 40, v0.40"})
    void anApiServerThatIsTooOldIsSaidToBeAndWaitedForUntilItIsUpgraded(String major, String minor, String name)
            throws Exception {
        says(major, minor, name);
        List<String> waitedFor = new ArrayList<>();
        AtomicReference<InstalledKinds> kinds = new AtomicReference<>();
        kinds.set(new InstalledKinds(client, _ -> {
            waitedFor.add(kinds.get().waitedFor());
            if (waitedFor.size() == 2) {
                says("1", "33", "v1.33.0");
            }
        }));

        assertThat(kinds.get().await()).isZero();
        String line =
                "the API server is " + name + ", and Holdfast needs Kubernetes 1.33 or newer: upgrade the cluster";
        assertThat(waitedFor).containsExactly(line, line);
        assertThat(warnings()).containsExactly("Waiting for the API server");
    }

    @ParameterizedTest
    @CsvSource({"1, 33, v1.33.0", "1, 33+, v1.33.1-gke-2", "1, 37, v1.37.1", "2, 0, v2.0.0"})
    void anApiServerThatIsNewEnoughIsNotWaitedFor(String major, String minor, String name) throws Exception {
        says(major, minor, name);

        assertThat(new InstalledKinds(client, pauses::add).await()).isZero();
        assertThat(pauses).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>please log in</html>", "{}", "[]", "{\"major\":\"x\",\"minor\":\"\"}", ""})
    void anApiServerThatDoesNotTellItsVersionIsTakenForASupportedOne(String anything) throws Exception {
        version = anything;

        assertThat(new InstalledKinds(client, pauses::add).await()).isZero();
        assertThat(pauses).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404})
    void anApiServerThatMayNotTellItsVersionIsTakenForASupportedOne(int code) throws Exception {
        answer(VERSION, code);

        assertThat(new InstalledKinds(client, pauses::add).await()).isZero();
        assertThat(pauses).isEmpty();
        assertThat(warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 429, 500, 503})
    void whatElseGoesWrongWithTheVersionIsWaitedForAndSaid(int code) throws Exception {
        answer(VERSION, code);
        refusal = status("later");
        List<String> waitedFor = new ArrayList<>();
        AtomicReference<InstalledKinds> kinds = new AtomicReference<>();
        kinds.set(new InstalledKinds(client, _ -> waitedFor.add(kinds.get().waitedFor())));

        assertThat(kinds.get().await()).isZero();
        assertThat(waitedFor)
                .containsExactly(
                        code == 401
                                ? "the API server does not accept our credentials (401) to get /version"
                                : "the API server answered " + code + " to get /version: later");
    }

    @Test
    void anApiServerInTroubleIsWaitedFor() throws Exception {
        answer(NAMESPACED, 503, 429, 500);

        assertThat(new InstalledKinds(client, pauses::add).await()).isZero();
        assertThat(asked).containsExactly(NAMESPACED, NAMESPACED, NAMESPACED, NAMESPACED, CLUSTER, PAUSES, VERSION);
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
