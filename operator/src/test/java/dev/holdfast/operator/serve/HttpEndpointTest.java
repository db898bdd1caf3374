package dev.holdfast.operator.serve;

import static dev.holdfast.operator.serve.HttpEndpoint.Purpose.METRICS;
import static dev.holdfast.operator.serve.HttpEndpoint.Purpose.PROBES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.loop.LoopState;
import dev.holdfast.operator.loop.ViewStatuses;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ViewStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the replies of probes and metrics over a real HTTP connection. */
class HttpEndpointTest {
    private static final ViewStatus SYNCED = new ViewStatus.Synced();

    private volatile LoopState state = new LoopState(Duration.ZERO, 0, false);
    private volatile ViewStatuses views = new ViewStatuses(Map.of(View.PODS, SYNCED, View.NODES, SYNCED));
    private volatile boolean leads = true;
    private volatile Optional<String> waitedFor = Optional.empty();
    private final Probes probes = new Probes(() -> state, () -> views, () -> leads, () -> waitedFor);
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpEndpoint endpoint = start(0);

    private HttpEndpoint start(int port) {
        return start(METRICS, port);
    }

    private HttpEndpoint start(HttpEndpoint.Purpose purpose, int port) {
        try {
            return HttpEndpoint.start(
                    purpose,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    Map.of(
                            "/livez",
                            probes::live,
                            "/readyz",
                            probes::ready,
                            "/metrics",
                            () -> HttpReply.metrics("up 1\n"),
                            "/broken",
                            () -> {
                                throw new IllegalStateException("planted");
                            }),
                    Optional.empty(),
                    (_, death) -> {
                        throw new AssertionError(death);
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeEach
    void readyToAsk() {
        assertThat(endpoint.port()).isPositive();
    }

    @AfterEach
    void close() {
        endpoint.close();
        client.close();
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + endpoint.port() + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private String get(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = send("GET", path);
        return response.statusCode() + " " + response.body();
    }

    @Test
    void aLivingLeaderIsReady() throws Exception {
        assertThat(get("/livez")).isEqualTo("200 ok\n");
        assertThat(get("/readyz")).isEqualTo("200 ok, leading\n");
    }

    @Test
    void aStandbyIsReady() throws Exception {
        leads = false;

        assertThat(get("/readyz")).isEqualTo("200 ok, standing by\n");
    }

    @Test
    void viewsThatAreNotSyncedAreNamed() throws Exception {
        views = new ViewStatuses(Map.of(
                View.PODS, SYNCED,
                View.NODES, new ViewStatus.Missing("not synced yet"),
                View.BUDGETS, new ViewStatus.Missing("connection refused")));

        assertThat(get("/readyz")).isEqualTo("503 budgets: connection refused\nnodes: not synced yet\n");
        assertThat(get("/livez")).isEqualTo("200 ok\n");
    }

    @Test
    void beforeAnythingCanBeginItIsSaidWhatIsWaitedFor() throws Exception {
        waitedFor = Optional.of("the right to list pods is missing");

        assertThat(get("/readyz")).isEqualTo("503 waiting for the API server: the right to list pods is missing\n");
        assertThat(get("/livez")).isEqualTo("200 ok\n");
    }

    @Test
    void aStepThatDoesNotEndIsTheEnd() throws Exception {
        state = new LoopState(Duration.ofSeconds(59), 0, false);
        assertThat(get("/livez")).isEqualTo("200 ok\n");

        state = new LoopState(Duration.ofSeconds(60), 0, false);
        assertThat(get("/livez")).isEqualTo("503 the engine has been processing one event for 1m0s\n");
    }

    @Test
    void anEngineWithoutAThreadIsTheEnd() throws Exception {
        state = new LoopState(Duration.ZERO, 0, true);

        assertThat(get("/livez")).isEqualTo("503 the engine's thread has ended\n");
    }

    @Test
    void metricsComeInPrometheusText() throws Exception {
        HttpResponse<String> response = send("GET", "/metrics");

        assertThat(response.body()).isEqualTo("up 1\n");
        assertThat(response.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
    }

    @Test
    void headHasLengthAndNoBody() throws Exception {
        HttpResponse<String> response = send("HEAD", "/metrics");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
        assertThat(response.headers().firstValue("Content-Length")).contains("5");
    }

    @Test
    void anotherMethodIsRefused() throws Exception {
        HttpResponse<String> response = send("POST", "/livez");

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).contains("GET, HEAD");
    }

    @Test
    void anotherPathIsNotFound() throws Exception {
        assertThat(get("/livez/")).startsWith("404 not found; available: /broken, /livez, /metrics, /readyz");
        assertThat(get("/")).startsWith("404 ");
    }

    /** {@return all that the server sends to a client that sends these bytes, and its end of the stream} */
    private String replies(String sent) throws IOException {
        return replies(sent, endpoint);
    }

    private static String replies(String sent, HttpEndpoint from) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), from.port())) {
            socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static String reply(String status, String connection, String body) {
        return "HTTP/1.1 " + status + " \r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " + body.length()
                + "\r\nConnection: " + connection + "\r\n\r\n" + body;
    }

    static Stream<Arguments> conversations() {
        String get = "GET /livez HTTP/1.1\r\n\r\n";
        String ok = reply("200", "keep-alive", "ok\n");
        return Stream.of(
                argumentSet("one request", get, ok),
                argumentSet("requests that are sent ahead, and a part of one", get + get + get + "GET", ok + ok + ok),
                argumentSet(
                        "the wish to close, and a further request",
                        "GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n" + get,
                        reply("200", "close", "ok\n")),
                argumentSet(
                        "HTTP/1.0, and a further request",
                        "GET /livez HTTP/1.0\r\n\r\n" + get,
                        reply("200", "close", "ok\n")),
                argumentSet(
                        "HEAD, and then GET",
                        "HEAD /livez HTTP/1.1\r\n\r\n" + get,
                        ok.substring(0, ok.length() - "ok\n".length()) + ok),
                argumentSet(
                        "a failure, and then GET",
                        "GET /broken HTTP/1.1\r\n\r\n" + get,
                        reply("500", "keep-alive", "failed; see the operator's log\n") + ok),
                argumentSet(
                        "an invalid request, and a further request",
                        "GET\r\n\r\n" + get,
                        reply("400", "close", "the first line of a request is: GET PATH HTTP/1.1\n")),
                argumentSet(
                        "a body, and a further request",
                        "POST /livez HTTP/1.1\r\nContent-Length: 1\r\n\r\na" + get,
                        reply("413", "close", "send the request without a body\n")),
                argumentSet(
                        "a head that is too long",
                        "GET /livez?" + "a".repeat(20_000),
                        reply("431", "close", "the head of the request is longer than 8192 bytes\n")),
                argumentSet("nothing", "", ""));
    }

    @ParameterizedTest
    @MethodSource("conversations")
    void aClientGetsTheReplyToEachOfItsRequests(String sent, String expected) throws Exception {
        assertThat(replies(sent)).isEqualTo(expected);
    }

    @Test
    void aConnectionServesOneProbe() throws Exception {
        try (HttpEndpoint ofProbes = start(PROBES, 0)) {
            assertThat(replies("GET /livez HTTP/1.1\r\n\r\n".repeat(2), ofProbes))
                    .isEqualTo(reply("200", "close", "ok\n"));
        }
    }

    @Test
    void aConnectionServesOneRequestAfterTheOther() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port())) {
            for (int i = 0; i < 3; i++) {
                socket.getOutputStream().write("GET /livez HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                String expected = reply("200", "keep-alive", "ok\n");
                assertThat(new String(socket.getInputStream().readNBytes(expected.length()), StandardCharsets.US_ASCII))
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void aLargeReplyIsWhole() throws Exception {
        String large = "0123456789".repeat(500_000);
        try (HttpEndpoint metrics = HttpEndpoint.start(
                METRICS,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Map.of("/metrics", () -> HttpReply.metrics(large)),
                Optional.empty(),
                (_, death) -> {
                    throw new AssertionError(death);
                })) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metrics.port() + "/metrics"))
                    .build();

            assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                            .body()
                            .equals(large))
                    .isTrue();
        }
    }

    @Test
    void aPortThatIsTakenIsRefused() {
        assertThatThrownBy(() -> HttpEndpoint.start(
                        PROBES,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.port()),
                        Map.of(),
                        Optional.empty(),
                        (_, death) -> {
                            throw new AssertionError(death);
                        }))
                .isInstanceOf(SocketException.class)
                .hasMessage("cannot listen on localhost:" + endpoint.port()
                        + " for probes: Address already in use; choose another http.port");
    }

    @Test
    void anAddressOfAnotherMachineIsRefusedAsThat() {
        assertThatThrownBy(() -> HttpEndpoint.start(
                        METRICS, new InetSocketAddress("192.0.2.1", 8080), Map.of(), Optional.empty(), (_, death) -> {
                            throw new AssertionError(death);
                        }))
                .isInstanceOf(SocketException.class)
                .hasMessage("cannot listen on 192.0.2.1:8080 for metrics: Cannot assign requested address;"
                        + " set --http-address to an address of this machine");
    }

    @Test
    void anAddressWithAPortIsRefusedWithWhereThePortIsSaid() {
        InetSocketAddress withPort = InetSocketAddress.createUnresolved("127.0.0.1:18977", 8080);

        assertThatThrownBy(() -> HttpEndpoint.start(METRICS, withPort, Map.of(), Optional.empty(), (_, death) -> {
                    throw new AssertionError(death);
                }))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageEndingWith("; --http-address takes no port: set metrics.port in the configuration");
    }

    @Test
    void anUnknownNameIsRefused() {
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 8080);

        assertThatThrownBy(() -> HttpEndpoint.start(PROBES, nowhere, Map.of(), Optional.empty(), (_, death) -> {
                    throw new AssertionError(death);
                }))
                .isInstanceOf(UnknownHostException.class)
                .hasMessage("cannot listen on nowhere.invalid:8080 for probes: unknown host; set"
                        + " --http-address to an address of this machine");
    }
}
