package dev.holdfast.operator.serve.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener on one port. One thread accepts connections, and one aborts those that miss a deadline. Each connection
 * has a thread of its own, so slow clients hold up only themselves.
 */
public final class ConnectionListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionListener.class);

    /** How many connections may wait to be accepted. */
    private static final int WAITING = 1_024;

    /**
     * The number of bytes that the kernel buffers in each direction for a client that is too fast or too slow. Linux
     * takes twice as much memory, which counts for the container. The default of the kernel can be megabytes.
     */
    private static final int RECEIVED = 8 << 10;

    private static final int SENT = 32 << 10;

    /** How long to wait after no connection could be accepted, for example because all file descriptors are in use. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final ServerSocket listening;
    private final ConnectionLimits limits;
    private final Optional<Supplier<SSLContext>> tls;
    private final Service service;
    private final OpenConnections open;
    private final HandshakePace handshakePace;
    private final ThreadFactory threads;
    private final ScheduledThreadPoolExecutor timer;
    private final AtomicBoolean silent = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Serves one client. */
    @FunctionalInterface
    public interface Service {
        /**
         * Serves one client, and returns when the connection should end.
         *
         * @throws IOException if the client has gone, or the connection was aborted at its deadline
         */
        void serve(Connection connection) throws IOException;
    }

    ConnectionListener(
            ServerSocket listening,
            ConnectionThreads threads,
            ConnectionLimits limits,
            Optional<Supplier<SSLContext>> tls,
            Service service) {
        this.listening = listening;
        this.limits = limits;
        this.tls = tls;
        this.service = service;
        this.open = new OpenConnections(limits.connections());
        this.handshakePace = new HandshakePace(limits.pace());
        this.threads = threads.ofConnections();
        this.timer = new ScheduledThreadPoolExecutor(
                1,
                Thread.ofPlatform()
                        .daemon()
                        .name("holdfast-" + threads.name() + "-deadlines")
                        .uncaughtExceptionHandler(threads.onDeath())
                        .factory(),
                new ThreadPoolExecutor.DiscardPolicy());
        timer.setRemoveOnCancelPolicy(true);
        Thread.ofPlatform()
                .daemon()
                .name("holdfast-" + threads.name() + "-accept")
                .uncaughtExceptionHandler(threads.onDeath())
                .start(this::acceptAll);
    }

    /**
     * Starts to accept connections, and returns the listener.
     *
     * @param tls supplies the TLS context of each connection; empty for none
     * @throws IOException if the address cannot be listened on
     */
    public static ConnectionListener start(
            InetSocketAddress address,
            ConnectionThreads threads,
            ConnectionLimits limits,
            Optional<Supplier<SSLContext>> tls,
            Service service)
            throws IOException {
        ServerSocket listening = new ServerSocket();
        try {
            listening.setReceiveBufferSize(RECEIVED);
            listening.bind(address, WAITING);
        } catch (IOException e) {
            listening.close();
            throw e;
        }
        return new ConnectionListener(listening, threads, limits, tls, service);
    }

    /** {@return the port that is listened on} */
    public int port() {
        return listening.getLocalPort();
    }

    private void acceptAll() {
        try {
            while (!listening.isClosed()) {
                acceptOne();
            }
        } catch (InterruptedException _) {
            // Nothing interrupts this thread but a JVM that ends.
            Thread.currentThread().interrupt();
        }
    }

    private void acceptOne() throws InterruptedException {
        try {
            admit(listening.accept());
        } catch (IOException e) {
            if (!listening.isClosed()) {
                failed(e);
                closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }

    private void failed(IOException failure) {
        if (silent.compareAndSet(false, true)) {
            LOG.atWarn()
                    .addKeyValue("port", port())
                    .addKeyValue("reason", failure.getMessage())
                    .log("Failed to accept a connection; further failures are not logged for a minute");
            ScheduledFuture<?> _ = timer.schedule(() -> silent.set(false), SILENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private void admit(Socket socket) throws IOException {
        Connection connection = new Connection(socket, limits, timer, open::remove);
        open.add(connection).ifPresent(Connection::abort);
        connection.enter(Connection.Phase.HEAD);
        if (listening.isClosed()) {
            connection.abort();
        }
        try {
            threads.newThread(() -> serve(socket, connection)).start();
        } catch (OutOfMemoryError e) {
            // The JVM says this also if the system starts no further thread, which is no reason to end.
            connection.abort();
            throw new IOException("no further thread can be started", e);
        }
    }

    private void serve(Socket socket, Connection connection) {
        boolean ended = false;
        try {
            socket.setTcpNoDelay(true);
            socket.setSendBufferSize(SENT);
            if (tls.isPresent()) {
                handshakePace.await(socket);
                connection.secure(tls.get().get());
            }
            service.serve(connection);
            connection.end();
            ended = true;
        } catch (IOException e) {
            LOG.trace("A connection has ended", e);
        } catch (RuntimeException e) {
            LOG.error("Failed to serve a connection", e);
        } finally {
            if (!ended) {
                connection.abort();
            }
        }
    }

    /** Closes the port and all connections at once. */
    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            LOG.debug("Failed to close port {}", port(), e);
        }
        closed.countDown();
        open.all().forEach(Connection::abort);
        timer.shutdownNow();
    }
}
