package dev.holdfast.it.bench.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What a client does with its connection, until the server closes the connection. */
public enum ClientBehavior {
    /** Sends nothing. */
    IDLE {
        @Override
        void use(Socket connection, ServedPort port) throws IOException {
            awaitEnd(connection);
        }
    },

    /** Sends a byte of a request each second. */
    SLOW {
        @Override
        void use(Socket connection, ServedPort port) throws IOException, InterruptedException {
            OutputStream out = port.handshake(connection).getOutputStream();
            for (byte next : bytes("GET " + port.path() + "?" + "a".repeat(FILLING))) {
                out.write(next);
                TimeUnit.SECONDS.sleep(1);
            }
        }
    },

    /** Sends the first half of a request. */
    HALF_REQUEST {
        @Override
        void use(Socket connection, ServedPort port) throws IOException {
            Socket client = port.handshake(connection);
            client.getOutputStream().write(bytes("GET " + port.path() + " HTTP/1.1\r\nHost:"));
            awaitEnd(client);
        }
    },

    /** Sends 300 KB of a request line without an end. */
    LONG_REQUEST {
        @Override
        void use(Socket connection, ServedPort port) throws IOException {
            Socket client = port.handshake(connection);
            client.getOutputStream().write(bytes("GET " + port.path() + "?" + "a".repeat(FILLING)));
            awaitEnd(client);
        }
    },

    /** Sends the first bytes of a TLS handshake. */
    HALF_HANDSHAKE {
        @Override
        void use(Socket connection, ServedPort port) throws IOException {
            connection.getOutputStream().write(new byte[] {22, 3, 1});
            awaitEnd(connection);
        }
    },

    /** Sends 200 requests at once, then a byte of another one each second, and reads no reply. */
    UNREAD {
        @Override
        void use(Socket connection, ServedPort port) throws IOException, InterruptedException {
            OutputStream out = port.handshake(connection).getOutputStream();
            out.write(bytes(port.request().repeat(AT_ONCE)));
            while (true) {
                TimeUnit.SECONDS.sleep(1);
                out.write('G');
            }
        }
    },

    /** Sends a complete request, reads the reply, and keeps the connection. */
    KEEP_ALIVE {
        @Override
        void use(Socket connection, ServedPort port) throws IOException {
            Socket client = port.handshake(connection);
            client.getOutputStream().write(bytes(port.request()));
            awaitEnd(client);
        }
    },

    /** Sends a complete request, reads the first bytes of the reply, closes the connection, and begins again at once. */
    FLOOD {
        @Override
        void use(Socket connection, ServedPort port) throws IOException {
            Socket client = port.handshake(connection);
            client.getOutputStream().write(bytes(port.request()));
            client.getInputStream().readNBytes(1);
        }

        @Override
        long pauseMillis() {
            return 0;
        }
    };

    private static final int FILLING = 300_000;
    private static final int AT_ONCE = 200;
    private static final long PAUSE_MILLIS = 500;

    /** Uses a new connection, which the caller closes. Returns or fails once the server has closed it. */
    abstract void use(Socket connection, ServedPort port) throws IOException, InterruptedException;

    /** {@return how long a client waits before it connects again, in milliseconds} */
    long pauseMillis() {
        return PAUSE_MILLIS;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void awaitEnd(Socket connection) throws IOException {
        InputStream in = connection.getInputStream();
        byte[] ignored = new byte[4 << 10];
        while (in.read(ignored) >= 0) {}
    }

    /** {@return the behavior in the words of a report, such as {@code half request}} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
