package dev.holdfast.operator.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests metrics over a real HTTPS connection. */
class SecureHttpEndpointTest {
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
            return HttpEndpoint.startSecure(
                    HttpEndpoint.Purpose.METRICS,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    Map.of("/metrics", () -> HttpReply.metrics("up 1\n")),
                    access);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() {
        endpoint.close();
    }

    private HttpsURLConnection connection(String scheme, String token) throws IOException {
        URI uri = URI.create(scheme + "://127.0.0.1:" + endpoint.port() + "/metrics");
        HttpsURLConnection connection = (HttpsURLConnection) uri.toURL().openConnection();
        connection.setHostnameVerifier((_, _) -> true);
        if (!token.isEmpty()) {
            connection.setRequestProperty("Authorization", "Bearer " + token);
        }
        return connection;
    }

    private HttpsURLConnection trusting(String token) throws IOException, GeneralSecurityException {
        HttpsURLConnection connection = connection("https", token);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
        connection.setSSLSocketFactory(context.getSocketFactory());
        return connection;
    }

    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {
            // The test has started the server itself.
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            // The test has started the server itself.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static String body(HttpsURLConnection connection) throws IOException {
        return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void aReaderGetsTheMetrics() throws Exception {
        HttpsURLConnection connection = trusting("scraper");

        assertThat(connection.getResponseCode()).isEqualTo(200);
        assertThat(body(connection)).isEqualTo("up 1\n");
    }

    @Test
    void withoutATokenTheReplySaysWhichSchemeIsMeant() throws Exception {
        HttpsURLConnection connection = trusting("");

        assertThat(connection.getResponseCode()).isEqualTo(401);
        assertThat(connection.getHeaderField("WWW-Authenticate")).isEqualTo("Bearer");
    }

    @Test
    void withAnInvalidTokenNothingIsRead() throws Exception {
        assertThat(trusting("forged").getResponseCode()).isEqualTo(401);
    }

    @Test
    void theCertificateIsOfItsOwn() throws Exception {
        HttpsURLConnection connection = connection("https", "scraper");

        assertThatThrownBy(connection::getResponseCode).isInstanceOf(SSLHandshakeException.class);
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

            assertThat(body(trusting("scraper"))).isEqualTo("up 1\n");
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }
}
