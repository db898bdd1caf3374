package dev.holdfast.operator.serve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** One TLS connection to a server on loopback, whose name and certificate are verified. */
final class HttpsConnection implements AutoCloseable {
    private final SSLSocket socket;

    private HttpsConnection(SSLSocket socket) {
        this.socket = socket;
    }

    static HttpsConnection open(SSLContext client, int port, String... protocols) {
        try {
            SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", port);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            if (protocols.length > 0) {
                parameters.setProtocols(protocols);
            }
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return new HttpsConnection(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the certificates that the server showed when the session began, its own one first} */
    List<Certificate> chain() throws IOException {
        return List.of(socket.getSession().getPeerCertificates());
    }

    /** {@return the whole reply to a GET of the metrics, which must end in a line with {@code up 1}} */
    String metrics() throws IOException {
        socket.getOutputStream().write("""
            GET /metrics HTTP/1.1\r
            Host: holdfast\r
            Authorization: Bearer scraper\r
            \r
            """.getBytes(StandardCharsets.US_ASCII));
        StringBuilder reply = new StringBuilder();
        while (reply.indexOf("\r\n\r\nup 1\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("the reply ended: " + reply);
            }
            reply.append((char) next);
        }
        return reply.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
