package dev.holdfast.it.shell;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A loopback port in front of a server. While it is shut, it refuses new connections and breaks the open ones. While it
 * is frozen, connections stay open without data.
 */
final class TcpGate implements AutoCloseable {
    private final ServerSocket port;
    private final InetSocketAddress server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean shut;
    private volatile boolean frozen;

    TcpGate(URI server) {
        this.server = new InetSocketAddress(server.getHost(), server.getPort());
        try {
            port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "https://127.0.0.1:" + port.getLocalPort();
    }

    void shut() {
        shut = true;
        sockets.forEach(TcpGate::close);
    }

    void open() {
        shut = false;
    }

    void freeze() {
        frozen = true;
    }

    private void accept() {
        while (!port.isClosed()) {
            try {
                Socket client = port.accept();
                if (shut) {
                    client.close();
                } else {
                    join(client);
                }
            } catch (IOException _) {
                // The next connection may succeed; closing the port ends the loop.
            }
        }
    }

    private void join(Socket client) throws IOException {
        Socket behind = new Socket(server.getAddress(), server.getPort());
        sockets.add(client);
        sockets.add(behind);
        Thread.ofVirtual().start(() -> pump(client, behind));
        Thread.ofVirtual().start(() -> pump(behind, client));
        if (shut) {
            shut();
        }
    }

    private void pump(Socket from, Socket to) {
        try {
            byte[] buffer = new byte[8192];
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                if (!frozen) {
                    to.getOutputStream().write(buffer, 0, read);
                }
            }
        } catch (IOException _) {
            // Closing one side also closes the other.
        } finally {
            close(from);
            close(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        shut();
        try {
            port.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
