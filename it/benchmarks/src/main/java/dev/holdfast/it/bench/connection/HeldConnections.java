package dev.holdfast.it.bench.connection;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that hold connections open, all with the same behavior, each in a virtual thread. A client whose connection the
 * server closes opens another one after a moment.
 */
public final class HeldConnections implements AutoCloseable {
    private final ClientBehavior behavior;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean reopening = true;

    private HeldConnections(ClientBehavior behavior) {
        this.behavior = behavior;
    }

    /** Starts this many clients for each of the ports, and returns them. */
    public static HeldConnections start(List<ServedPort> ports, int each, ClientBehavior behavior) {
        HeldConnections held = new HeldConnections(behavior);
        for (int i = 0; i < each; i++) {
            for (ServedPort port : ports) {
                held.clients.execute(() -> held.hold(port));
            }
        }
        return held;
    }

    private void hold(ServedPort port) {
        try {
            while (reopening) {
                holdOne(port);
                if (reopening) {
                    Thread.sleep(behavior.pauseMillis());
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void holdOne(ServedPort port) throws InterruptedException {
        try (Socket connection = port.connect()) {
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
            try {
                behavior.use(connection, port);
            } finally {
                open.decrementAndGet();
            }
        } catch (IOException _) {
            // The server has closed the connection or refused it: this is what the clients provoke.
        }
    }

    /** {@return how many connections the clients have open now, as far as they know} */
    public int open() {
        return open.get();
    }

    /** {@return how many connections the clients had open at once, at most} */
    public int most() {
        return most.get();
    }

    /** Lets the clients hold what they have, and open no more connections. */
    public void reopenNone() {
        reopening = false;
    }

    /** Closes all connections, and waits until the clients have ended. */
    @Override
    public void close() {
        reopening = false;
        clients.shutdownNow();
        clients.close();
    }
}
