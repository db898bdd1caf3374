package dev.holdfast.operator.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import okhttp3.tls.HandshakeCertificates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests metrics over a real HTTPS connection. */
class SecureHttpEndpointTest {
    private static final String HOST = "127.0.0.1";
    private static final SSLContext TRUSTING = new HandshakeCertificates.Builder()
            .addInsecureHost(HOST)
            .addInsecureHost("localhost")
            .addPlatformTrustedCertificates()
            .build()
            .sslContext();

    private final HttpEndpoint endpoint = start();

    private static HttpEndpoint start() {
        ReaderAccess access = new ReaderAccess(
                (token, _) -> token.equals("scraper")
                        ? new ReaderAccess.Review.Allowed()
                        : new ReaderAccess.Review.UnknownToken(),
                () -> Instant.EPOCH);
        try {
            return HttpEndpoint.start(
                    HttpEndpoint.Purpose.METRICS,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    Map.of("/metrics", () -> HttpReply.metrics("up 1\n")),
                    Optional.of(HttpsSettings.withOwnCertificate(access)),
                    (_, death) -> {
                        throw new AssertionError(death);
                    });
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() {
        endpoint.close();
    }

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newBuilder().sslContext(TRUSTING).build()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private URI uri(String path) {
        return URI.create("https://" + HOST + ":" + endpoint.port() + path);
    }

    @Test
    void aReaderGetsTheMetrics() throws Exception {
        HttpResponse<String> response = get("/metrics", "Authorization", "Bearer scraper");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("up 1\n");
    }

    @Test
    void withoutATokenTheReplySaysWhichSchemeIsMeant() throws Exception {
        HttpResponse<String> response = get("/metrics");

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    }

    @Test
    void withAnInvalidTokenNothingIsRead() throws Exception {
        assertThat(get("/metrics", "Authorization", "Bearer forged").statusCode())
                .isEqualTo(401);
    }

    @Test
    void noTokenIsCheckedForAPathThatDoesNotExist() throws Exception {
        assertThat(get("/secrets").statusCode()).isEqualTo(404);
    }

    @Test
    void theCertificateIsOfItsOwn() {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(uri("/metrics")).build();

            assertThatThrownBy(() -> client.send(request, HttpResponse.BodyHandlers.discarding()))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    static Stream<Arguments> protocols() {
        return Stream.of(argumentSet("TLS 1.3", "TLSv1.3"), argumentSet("TLS 1.2", "TLSv1.2"));
    }

    private SSLSocket client(String protocol) throws IOException {
        SSLSocket client = (SSLSocket) TRUSTING.getSocketFactory().createSocket(HOST, endpoint.port());
        client.setEnabledProtocols(new String[] {protocol});
        return client;
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void aClientGetsTheReplyToEachOfItsRequestsAndTheEndOfTls(String protocol) throws Exception {
        try (SSLSocket client = client(protocol)) {
            client.getOutputStream()
                    .write("GET /secrets HTTP/1.1\r\n\r\nGET /metrics HTTP/1.0\r\nAuthorization: Bearer scraper\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));

            // Without close_notify the client would get an exception instead of the end.
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 404 ")
                    .contains("\nHTTP/1.1 200 ")
                    .endsWith("Connection: close\r\n\r\nup 1\n");
        }
    }
}
