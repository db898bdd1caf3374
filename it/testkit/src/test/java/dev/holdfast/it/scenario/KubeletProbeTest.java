package dev.holdfast.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.controlplane.TimeLimits;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a probe succeeds, and when it fails. */
class KubeletProbeTest {
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration LATE = TimeLimits.ANSWER;
    private static final Duration PERIOD = Duration.ofMillis(300);

    private final ServerSocket server;

    KubeletProbeTest() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @BeforeEach
    void listens() {
        assertThat(server.getLocalPort()).isPositive();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private KubeletProbe probe(Duration timeout) {
        return new KubeletProbe(server.getLocalPort(), "/livez", timeout, PERIOD, 2);
    }

    private void reply(String... replies) {
        Thread.ofVirtual().start(() -> {
            for (String reply : replies) {
                replyOnce(reply);
            }
        });
    }

    private void replyOnce(String reply) {
        try (Socket client = server.accept()) {
            client.getOutputStream().write(reply.getBytes(StandardCharsets.US_ASCII));
            client.shutdownOutput();
            client.getInputStream().readAllBytes();
        } catch (IOException _) {
            // The probe fails then.
        }
    }

    @Test
    void aStatusBelow400Succeeds() {
        reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

        assertThat(probe(LATE).ask()).satisfies(it -> {
            assertThat(it.failure()).isEmpty();
            assertThat(it.succeeded()).isTrue();
            assertThat(it.took()).isPositive();
        });
    }

    @Test
    void anotherStatusFails() {
        reply("HTTP/1.1 503 \r\n\r\nwaiting");

        assertThat(probe(LATE).ask().failure()).isEqualTo("HTTP/1.1 503 \r\n\r\nwaiting");
    }

    @Test
    void aConnectionThatEndsWithoutAReplyFails() {
        reply("");

        assertThat(probe(LATE).ask().failure()).isEqualTo("no HTTP reply: ");
    }

    @Test
    void aServerThatDoesNotReplyInTimeFails() {
        assertThat(probe(SOON).ask()).satisfies(it -> {
            assertThat(it.failure()).contains("SocketTimeoutException");
            assertThat(it.took()).isLessThan(LATE);
        });
    }

    @Test
    void fewerFailuresInARowThanTheThresholdAreForgiven() {
        reply("HTTP/1.1 503 \r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n");

        assertThat(probe(LATE).askToTheThreshold().failure()).isEmpty();
    }

    @Test
    void asManyFailuresInARowAsTheThresholdFailAPeriodApart() {
        reply("HTTP/1.1 503 first\r\n\r\n", "HTTP/1.1 503 second\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n");

        long start = System.nanoTime();
        assertThat(probe(LATE).askToTheThreshold().failure()).isEqualTo("HTTP/1.1 503 second\r\n\r\n");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(PERIOD);
    }

    @Test
    void aPortWithoutAServerFails() throws IOException {
        server.close();

        assertThat(probe(LATE).ask().failure()).contains("ConnectException");
    }

    @Test
    void aContainerDeclaresItsPathTimeLimitAndPeriod() {
        assertThat(KubeletProbe.of(
                        new ProbeBuilder()
                                .withNewHttpGet()
                                .withPath("/readyz")
                                .endHttpGet()
                                .withTimeoutSeconds(3)
                                .withPeriodSeconds(5)
                                .withFailureThreshold(2)
                                .build(),
                        8080))
                .isEqualTo(new KubeletProbe(8080, "/readyz", Duration.ofSeconds(3), Duration.ofSeconds(5), 2));
    }
}
