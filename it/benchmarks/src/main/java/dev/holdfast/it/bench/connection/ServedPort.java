package dev.holdfast.it.bench.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import okhttp3.tls.HandshakeCertificates;

/**
 * A port of the operator on the loopback interface.
 *
 * @param path a path that is served there
 */
public record ServedPort(int port, String path, Scheme scheme) {
    private static final String HOST = "127.0.0.1";
    private static final SSLSocketFactory TRUSTING =
            new HandshakeCertificates.Builder().addInsecureHost(HOST).build().sslSocketFactory();
    private static final int CONNECT_MILLIS = 5_000;
    private static final int SMALL_BUFFER = 4 << 10;

    /** What is spoken at the port. */
    public enum Scheme {
        HTTP,
        HTTPS
    }

    /** {@return a new TCP connection with a small buffer for what is received} */
    Socket connect() throws IOException {
        Socket socket = new Socket();
        try {
            socket.setReceiveBufferSize(SMALL_BUFFER);
            // Closes with a reset, so that a flood leaves no connections behind that wait for late packets.
            socket.setSoLinger(true, 0);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** {@return the connection, after the TLS handshake if TLS is spoken at the port} The certificate is not checked. */
    Socket handshake(Socket connection) throws IOException {
        if (scheme == Scheme.HTTP) {
            return connection;
        }
        SSLSocket secure = (SSLSocket) TRUSTING.createSocket(connection, HOST, port, true);
        secure.startHandshake();
        return secure;
    }

    /** {@return a complete request for the path} */
    String request() {
        return "GET " + path + " HTTP/1.1\r\nHost: " + HOST + ":" + port + "\r\n\r\n";
    }
}
