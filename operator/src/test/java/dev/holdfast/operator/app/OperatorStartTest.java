package dev.holdfast.operator.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.config.MetricsSettings;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.serve.http.ConnectionLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** An operator that fails to start closes all its parts, even those that were never started. */
class OperatorStartTest {
    private static final String CRD =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/placementpolicies.holdfast.dev";

    /** The bodies of the answers, by path; other paths are not found. */
    private final Map<String, String> answers =
            new ConcurrentHashMap<>(Map.of("/version", "{\"major\": \"1\", \"minor\": \"37\"}"));

    private final WebSocketApiServer server = new WebSocketApiServer(
            asked -> Optional.ofNullable(answers.get(asked.target().replaceFirst("\\?.*", "")))
                    .map(body -> new WebSocketApiServer.Reply.Says(200, body))
                    .orElseGet(() -> new WebSocketApiServer.Reply.Says(404, "{}")));
    private final Logger logger = (Logger) LoggerFactory.getLogger("holdfast");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final List<String> fatal = new ArrayList<>();

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        server.close();
    }

    private void start(int port) throws StartException, InterruptedException {
        start(port, new MetricsSettings(0, false, Optional.empty(), false));
    }

    private void start(int port, MetricsSettings metrics) throws StartException, InterruptedException {
        SteadyClock clock = new SteadyClock(() -> Instant.EPOCH, () -> 0);
        OperatorOptions options = OperatorOptions.embedded(clock, "me", fatal::add);
        Operator.start(server.connection(), config(port, metrics), options).close();
    }

    private static OperatorConfig config(int port, MetricsSettings metrics) {
        OperatorConfig defaults = OperatorConfig.defaults();
        return new OperatorConfig(
                defaults.defaultForgiveness(),
                defaults.maxMode(),
                defaults.protectedNamespaces(),
                defaults.schedulerNames(),
                defaults.exemptNamespaces(),
                defaults.operatorLimits(),
                defaults.replacementTimes(),
                defaults.brakes(),
                defaults.lease(),
                defaults.scheduling(),
                port,
                metrics,
                defaults.logLevel(),
                defaults.logFormat());
    }

    private void assertThatNothingIsSaid() {
        assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).isEmpty();
        assertThat(fatal).isEmpty();
    }

    @Test
    void onAPortThatIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatExceptionOfType(StartException.class)
                    .isThrownBy(() -> start(taken.getLocalPort()))
                    .withMessageStartingWith("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }

        assertThatNothingIsSaid();
        assertThat(server.received()).isEmpty();
    }

    @Test
    void withoutTheCertificateThatItsConfigurationNames() {
        MetricsSettings metrics = new MetricsSettings(0, true, Optional.of(folder), false);

        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> start(0, metrics))
                .withMessage(
                        "cannot serve metrics by HTTPS: " + folder + "/tls.crt does not exist; the folder must have"
                                + " the files of a Secret of type kubernetes.io/tls");

        assertThatNothingIsSaid();
        assertThat(server.received()).isEmpty();
    }

    @Test
    void whereThePolicyKindsAreNotInstalled() {
        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> start(0))
                .withMessageStartingWith("PlacementPolicy CRD is not installed");

        assertThatNothingIsSaid();
        assertThat(server.received()).hasSize(2);
    }

    @Test
    void besideAnOperatorWithAnotherLease() {
        for (String kind : List.of("placementpolicies", "clusterplacementpolicies", "enforcementpauses")) {
            answers.put("/apis/holdfast.dev/v1alpha1/" + kind, "{\"metadata\": {}, \"items\": []}");
        }
        answers.put(CRD, "{\"metadata\": {\"annotations\": {\"holdfast.dev/lease\": \"locks/holdfast\"}}}");

        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> start(0))
                .withMessageStartingWith("the operator of this cluster uses the lease locks/holdfast");

        assertThatNothingIsSaid();
        assertThat(server.received())
                .extracting(WebSocketApiServer.Request::method)
                .as("it only reads")
                .containsOnly("GET");
    }

    @Test
    void probesAreServedWhileMoreConnectionsAreHeldThanThePortMayHave() throws Exception {
        int port = freePort();
        AtomicReference<Thread> starting = new AtomicReference<>();
        CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> {
            starting.set(Thread.currentThread());
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> startWaiting(port));
        });
        await().until(() -> probe(port).startsWith("HTTP/1.1 200 "));
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i <= ConnectionLimits.plain().connections(); i++) {
                held.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }

            assertThat(probe(port)).startsWith("HTTP/1.1 200 ");
            // The oldest connections are closed, long before their deadline.
            held.getFirst().setSoTimeout(2_000);
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> held.getFirst().getInputStream().read())
                    .withMessage("Connection reset");
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
            starting.get().interrupt();
        }
        ended.get(30, TimeUnit.SECONDS);
    }

    /** Starts an operator whose API server does not know its own version, so that the operator waits. */
    private void startWaiting(int port) throws StartException, InterruptedException {
        try (WebSocketApiServer silent =
                new WebSocketApiServer(_ -> new WebSocketApiServer.Reply.Says(503, "not now"))) {
            SteadyClock clock = new SteadyClock(() -> Instant.EPOCH, () -> 0);
            Operator.start(
                            silent.connection(),
                            config(port, new MetricsSettings(0, false, Optional.empty(), false)),
                            OperatorOptions.embedded(clock, "me", fatal::add))
                    .close();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** {@return the reply to a liveness probe; empty if there is none} */
    private static String probe(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException _) {
            return "";
        }
    }
}
