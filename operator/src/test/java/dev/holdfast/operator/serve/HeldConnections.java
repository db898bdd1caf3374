package dev.holdfast.operator.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import okhttp3.tls.HandshakeCertificates;

/** Hostile clients of a port on loopback, each with a connection and a thread of its own. */
final class HeldConnections implements AutoCloseable {
    private static final SSLContext TRUSTING = new HandshakeCertificates.Builder()
            .addInsecureHost("127.0.0.1")
            .addInsecureHost("localhost")
            .addPlatformTrustedCertificates()
            .build()
            .sslContext();
    private static final byte[] REQUESTS = ascii("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".repeat(200));

    /** So that a client that reads nothing soon takes nothing. */
    private static final int RECEIVED = 4 << 10;

    private static final LongAdder HANDSHAKES = new LongAdder();

    /** What a client does. All except those that read nothing then read until the server closes the connection. */
    enum Behaviour {
        IDLE,
        HALF_A_HEAD,
        HALF_A_HANDSHAKE,
        LONG_HEAD,
        READS_NOTHING,
        TLS_READS_NOTHING;

        private void send(Socket client) throws IOException {
            switch (this) {
                case IDLE -> {}
                case HALF_A_HEAD -> client.getOutputStream().write(ascii("GET /livez HTTP/1.1\r\nHost:"));
                case HALF_A_HANDSHAKE -> client.getOutputStream().write(new byte[] {22, 3, 1});
                case LONG_HEAD ->
                    client.getOutputStream().write(ascii("GET /livez HTTP/1.1\r\nX: " + "a".repeat(330_000)));
                case READS_NOTHING -> sendForever(client.getOutputStream());
                case TLS_READS_NOTHING -> {
                    SSLSocket secured = (SSLSocket)
                            TRUSTING.getSocketFactory().createSocket(client, "127.0.0.1", client.getPort(), false);
                    secured.startHandshake();
                    HANDSHAKES.increment();
                    sendForever(secured.getOutputStream());
                }
            }
        }
    }

    private final List<Socket> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    HeldConnections(Behaviour behaviour, int count, int port) {
        try {
            for (int i = 0; i < count; i++) {
                Socket client = new Socket();
                clients.add(client);
                client.setReceiveBufferSize(RECEIVED);
                client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                threads.add(Thread.ofVirtual().start(() -> hold(client, behaviour)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void sendForever(OutputStream server) throws IOException {
        while (true) {
            server.write(REQUESTS);
        }
    }

    private static void hold(Socket client, Behaviour behaviour) {
        try {
            behaviour.send(client);
            assertThat(client.getInputStream().skip(Long.MAX_VALUE)).isNotNegative();
        } catch (IOException _) {
            // The server has closed the connection.
        }
    }

    /** {@return how many TLS connections of this JVM have had a handshake} */
    static long handshakes() {
        return HANDSHAKES.sum();
    }

    /** Waits until the server has closed all connections. */
    void awaitClosed(Duration within) throws InterruptedException {
        for (Thread thread : threads) {
            assertThat(thread.join(within)).isTrue();
        }
    }

    @Override
    public void close() {
        try {
            for (Socket client : clients) {
                client.setSoLinger(true, 0);
                client.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
