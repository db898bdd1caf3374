package dev.holdfast.operator.serve.http;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** The server's side of TLS 1.2 and 1.3. */
final class Tls {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    /** How many TLS sessions are remembered for clients without session tickets. The default would be 20,480. */
    private static final int SESSIONS = 64;

    private Tls() {}

    /**
     * {@return a socket that encrypts the bytes of a connection} The handshake happens when a stream of the socket is
     * first used. The socket never closes the connection.
     *
     * @param context the context for this connection, which may be another one for the next
     */
    static SSLSocket layered(SSLContext context, Socket raw) throws IOException {
        context.getServerSessionContext().setSessionCacheSize(SESSIONS);
        SSLSocket layered = (SSLSocket) context.getSocketFactory().createSocket(raw, null, false);
        layered.setEnabledProtocols(PROTOCOLS);
        return layered;
    }
}
