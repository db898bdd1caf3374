package dev.holdfast.operator.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import okhttp3.tls.HandshakeCertificates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests metrics over a real HTTPS connection. */
class SecureHttpEndpointTest {
    private static final String HOST = "127.0.0.1";
    private static final int MANY = 1_000;

    private final HttpEndpoint endpoint = start();

    private static HttpEndpoint start() {
        ReaderAccess access = new ReaderAccess(
                (token, _) -> token.equals("scraper")
                        ? new ReaderAccess.Review.Allowed()
                        : new ReaderAccess.Review.UnknownToken(),
                () -> Instant.EPOCH);
        try {
            HttpEndpoint.limits();
            return HttpEndpoint.start(
                    HttpEndpoint.Purpose.METRICS,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    Map.of("/metrics", () -> HttpReply.metrics("up 1\n")),
                    Optional.of(HttpsSettings.withOwnCertificate(access)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() {
        endpoint.close();
    }

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HandshakeCertificates certificates = new HandshakeCertificates.Builder()
                .addInsecureHost(HOST)
                .addPlatformTrustedCertificates()
                .build();
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(certificates.sslContext()).build()) {
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

    @Test
    void aReaderIsServedWhileManyConnectionsAreHeldInTheHandshake() throws Exception {
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < MANY; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
                held.add(socket);
                // The first bytes of a TLS record, of which the rest never comes.
                socket.getOutputStream().write(new byte[] {22, 3, 1});
            }

            assertThat(get("/metrics", "Authorization", "Bearer scraper").body())
                    .isEqualTo("up 1\n");
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }
}
