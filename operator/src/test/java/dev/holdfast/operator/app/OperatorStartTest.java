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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** An operator that fails to start closes all its parts, even those that were never started. */
class OperatorStartTest {
    private final WebSocketApiServer server =
            new WebSocketApiServer(asked -> asked.target().equals("/version")
                    ? new WebSocketApiServer.Reply.Says(200, "{\"major\": \"1\", \"minor\": \"37\"}")
                    : new WebSocketApiServer.Reply.Says(404, "{}"));
    private final Logger logger = (Logger) LoggerFactory.getLogger("holdfast");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final List<String> fatal = new ArrayList<>();

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
        SteadyClock clock = new SteadyClock(() -> Instant.EPOCH, () -> 0);
        Operator.start(server.connection(), onPort(port), OperatorOptions.embedded(clock, "me", fatal::add))
                .close();
    }

    private static OperatorConfig onPort(int port) {
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
                port,
                new MetricsSettings(0, false, false),
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
    void whereThePolicyKindsAreNotInstalled() {
        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> start(0))
                .withMessageStartingWith("PlacementPolicy CRD is not installed");

        assertThatNothingIsSaid();
        assertThat(server.received()).hasSize(2);
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
            Operator.start(silent.connection(), onPort(port), OperatorOptions.embedded(clock, "me", fatal::add))
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
