package dev.holdfast.operator.serve.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TCP connection of one client, with TLS if its port has it. At the deadline of its phase the connection is
 * aborted, even while a thread reads, writes or shakes hands: that thread then gets an exception. No method waits for
 * such a thread.
 */
public final class Connection {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    /** What a connection waits for. */
    public enum Phase {
        /** The rest of a request. */
        HEAD,
        /** The first byte of the next request. */
        IDLE,
        /** A reply, until the client has taken it. */
        REPLY,
        /** The arrival of the last reply. */
        END
    }

    private final Socket raw;
    private final InetAddress client;
    private final ConnectionLimits limits;
    private final ScheduledExecutorService timer;
    private final Consumer<Connection> closed;
    private volatile Optional<Socket> tls = Optional.empty();
    private volatile Phase phase = Phase.HEAD;

    @GuardedBy("this")
    private Optional<Future<?>> deadline = Optional.empty();

    /**
     * Creates a connection whose first request begins.
     *
     * @param closed called when the connection is aborted; may be called more than once
     */
    Connection(Socket raw, ConnectionLimits limits, ScheduledExecutorService timer, Consumer<Connection> closed) {
        this.raw = raw;
        this.client = raw.getInetAddress();
        this.limits = limits;
        this.timer = timer;
        this.closed = closed;
    }

    /** Puts TLS between the client and the streams. The handshake happens when a stream is first used. */
    void secure(SSLContext context) throws IOException {
        tls = Optional.of(Tls.layered(context, raw));
    }

    /** {@return the address of the client} */
    InetAddress client() {
        return client;
    }

    /** {@return the bytes that the client sends} */
    public InputStream in() throws IOException {
        return tls.orElse(raw).getInputStream();
    }

    /** {@return where bytes are sent to the client} */
    public OutputStream out() throws IOException {
        return tls.orElse(raw).getOutputStream();
    }

    /** Begins a phase, and with it a new deadline. */
    public void enter(Phase next) {
        phase = next;
        synchronized (this) {
            cancelDeadline();
            if (!raw.isClosed()) {
                deadline = Optional.of(timer.schedule(this::abort, limit(next).toMillis(), TimeUnit.MILLISECONDS));
            }
        }
    }

    /** Records that bytes of a request have arrived. Bytes of a first request do not move its deadline. */
    public void received() {
        if (phase == Phase.IDLE) {
            enter(Phase.HEAD);
        }
    }

    /** {@return whether a whole request has arrived and its reply is not yet sent} */
    boolean isBeingAnswered() {
        return phase == Phase.REPLY;
    }

    /**
     * Sends the end of the stream to the client. The connection is aborted later, without a thread that waits: to close
     * it at once would take the last reply away from a client that has sent more than was read.
     */
    void end() throws IOException {
        enter(Phase.END);
        if (tls.isPresent()) {
            tls.get().shutdownOutput();
        }
        raw.shutdownOutput();
    }

    /**
     * Closes the connection at once. Bytes that the client has not taken are dropped, so the kernel holds none of them.
     */
    void abort() {
        // Its place is free before the client can see the end and connect again.
        closed.accept(this);
        synchronized (this) {
            cancelDeadline();
            try {
                raw.setSoLinger(true, 0);
            } catch (IOException e) {
                LOG.trace("A connection was closed before", e);
            }
            try {
                raw.close();
            } catch (IOException e) {
                LOG.debug("Failed to close a connection", e);
            }
        }
    }

    private Duration limit(Phase of) {
        return switch (of) {
            case HEAD -> limits.head();
            case IDLE -> limits.idle();
            case REPLY -> limits.reply();
            case END -> limits.end();
        };
    }

    @GuardedBy("this")
    private void cancelDeadline() {
        deadline.ifPresent(it -> it.cancel(false));
        deadline = Optional.empty();
    }
}
