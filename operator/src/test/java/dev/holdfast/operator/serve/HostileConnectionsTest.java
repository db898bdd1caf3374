package dev.holdfast.operator.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.serve.HeldConnections.Behaviour;
import dev.holdfast.operator.serve.http.ConnectionLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import okhttp3.tls.HandshakeCertificates;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** No connection ends the operator, delays a probe or keeps a scraper out, whatever the clients of both ports do. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileConnectionsTest {
    private static final Duration A_SECOND = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int PROBES = 5;

    private final HttpClient client = HttpClient.newBuilder()
            .sslContext(new HandshakeCertificates.Builder()
                    .addInsecureHost("127.0.0.1")
                    .addInsecureHost("localhost")
                    .addPlatformTrustedCertificates()
                    .build()
                    .sslContext())
            .build();
    private final EndpointProcess process = start();

    private static EndpointProcess start() {
        try {
            return EndpointProcess.start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private String get(String url, Duration within) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer scraper")
                .timeout(within)
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body().lines().findFirst().orElseThrow();
    }

    private void assertThatAllAreServed(Duration probeWithin) throws IOException, InterruptedException {
        List<Duration> took = new ArrayList<>();
        for (int i = 0; i < PROBES; i++) {
            long begun = System.nanoTime();
            assertThat(get("http://127.0.0.1:" + process.probes() + "/livez", LONG))
                    .isEqualTo("200 ok");
            took.add(Duration.ofNanos(System.nanoTime() - begun));
        }
        // Most of them, as the processors of the machine that runs the tests may be busy for a while.
        assertThat(took.stream().sorted().skip(PROBES / 2).findFirst().orElseThrow())
                .isLessThan(probeWithin);
        assertThat(get("http://127.0.0.1:" + process.metrics() + "/metrics", LONG))
                .isEqualTo("200 up 1");
        assertThat(get("https://127.0.0.1:" + process.secureMetrics() + "/metrics", LONG))
                .isEqualTo("200 up 1");
    }

    @BeforeAll
    void warmUp() throws Exception {
        assertThatAllAreServed(LONG);
    }

    @AfterAll
    void stop() {
        process.close();
        client.close();
    }

    static Stream<Arguments> crowds() {
        return Stream.of(
                argumentSet("1,000 idle connections", Behaviour.IDLE, 1_000),
                argumentSet("1,000 half heads", Behaviour.HALF_A_HEAD, 1_000),
                argumentSet("1,000 half handshakes", Behaviour.HALF_A_HANDSHAKE, 1_000),
                argumentSet("200 heads of 330 KB in progress", Behaviour.LONG_HEAD, 200),
                argumentSet("1,000 clients that send requests ahead and read nothing", Behaviour.READS_NOTHING, 1_000),
                argumentSet(
                        "100 clients that send requests ahead by TLS and read nothing",
                        Behaviour.TLS_READS_NOTHING,
                        100));
    }

    @ParameterizedTest
    @MethodSource("crowds")
    void allAreServedWhileACrowdHoldsConnectionsToEachPort(Behaviour behaviour, int count) throws Exception {
        try (HeldConnections _ = new HeldConnections(behaviour, count, process.probes());
                HeldConnections _ = new HeldConnections(behaviour, count, process.metrics());
                HeldConnections _ = new HeldConnections(behaviour, count, process.secureMetrics())) {
            assertThatAllAreServed(A_SECOND);
        }
        assertThat(process.lives()).isTrue();
    }

    @Test
    void tlsHandshakesOfAFullPortBeginOneAfterTheOther() throws Exception {
        int handshakes = 4;
        try (HttpEndpoint full = HttpEndpoint.start(
                HttpEndpoint.Purpose.METRICS,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Map.of("/metrics", () -> HttpReply.metrics("up 1\n")),
                everyone(),
                new ConnectionLimits(1, SOON, LONG, LONG, LONG, SOON),
                (_, death) -> {
                    throw new AssertionError(death);
                })) {
            long begun = System.nanoTime();
            for (int i = 0; i < handshakes; i++) {
                try (HttpsConnection connection = HttpsConnection.open(client.sslContext(), full.port())) {
                    assertThat(connection.metrics()).endsWith("up 1\n");
                }
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isGreaterThanOrEqualTo(SOON.multipliedBy(handshakes));
        }
    }

    private static HttpEndpoint endpoint(Optional<HttpsSettings> https, Duration forRequests, Duration forReplies)
            throws IOException {
        String large = "x".repeat(1 << 20);
        return HttpEndpoint.start(
                HttpEndpoint.Purpose.METRICS,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Map.of("/metrics", () -> HttpReply.metrics(large)),
                https,
                new ConnectionLimits(20, Duration.ZERO, forRequests, forRequests, forReplies, SOON),
                (_, death) -> {
                    throw new AssertionError(death);
                });
    }

    private static Optional<HttpsSettings> everyone() {
        return Optional.of(HttpsSettings.withOwnCertificate(
                new ReaderAccess((_, _) -> new ReaderAccess.Review.Allowed(), () -> Instant.EPOCH)));
    }

    static Stream<Arguments> holders() {
        return Stream.of(
                argumentSet("an idle connection", Optional.empty(), Behaviour.IDLE),
                argumentSet("half a head", Optional.empty(), Behaviour.HALF_A_HEAD),
                argumentSet("a head of 330 KB", Optional.empty(), Behaviour.LONG_HEAD),
                argumentSet("a client that reads nothing", Optional.empty(), Behaviour.READS_NOTHING),
                argumentSet("an idle connection to a port with TLS", everyone(), Behaviour.IDLE),
                argumentSet("half a handshake", everyone(), Behaviour.HALF_A_HANDSHAKE),
                argumentSet("no handshake", everyone(), Behaviour.LONG_HEAD));
    }

    @ParameterizedTest
    @MethodSource("holders")
    void allConnectionsAreClosedAtTheirDeadline(Optional<HttpsSettings> https, Behaviour behaviour) throws Exception {
        try (HttpEndpoint endpoint = endpoint(https, SOON, SOON);
                HeldConnections held = new HeldConnections(behaviour, 20, endpoint.port())) {
            held.awaitClosed(LONG);
        }
    }

    @Test
    void aTlsClientThatReadsNoReplyIsClosedAtTheDeadline() throws Exception {
        long before = HeldConnections.handshakes();
        try (HttpEndpoint endpoint = endpoint(everyone(), LONG, SOON);
                HeldConnections held = new HeldConnections(Behaviour.TLS_READS_NOTHING, 20, endpoint.port())) {
            held.awaitClosed(LONG);

            assertThat(HeldConnections.handshakes() - before).isEqualTo(20);
        }
    }

    @Test
    void toCloseTheServerWaitsForNoClient() throws Exception {
        long before = HeldConnections.handshakes();
        HttpEndpoint endpoint = endpoint(everyone(), LONG, LONG);
        try (HeldConnections held = new HeldConnections(Behaviour.TLS_READS_NOTHING, 20, endpoint.port())) {
            await().atMost(LONG).until(() -> HeldConnections.handshakes() - before == 20);

            endpoint.close();

            held.awaitClosed(LONG.dividedBy(2));
        }
    }
}
