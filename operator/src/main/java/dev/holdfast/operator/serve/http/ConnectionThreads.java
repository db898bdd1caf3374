package dev.holdfast.operator.serve.http;

import java.util.concurrent.ThreadFactory;

/**
 * The threads of a {@link ConnectionListener}: one for each connection.
 *
 * @param name what the listener is for, in the names of its threads
 */
public record ConnectionThreads(String name, ThreadFactory ofConnections) {
    /** {@return virtual threads, which share as many threads of the system as there are CPUs} */
    public static ConnectionThreads virtual(String name) {
        return new ConnectionThreads(
                name, Thread.ofVirtual().name(prefix(name), 0).factory());
    }

    /**
     * {@return threads of the system} They do not wait while TLS handshakes of another listener hold all threads that
     * virtual threads share.
     */
    public static ConnectionThreads ofSystem(String name) {
        return new ConnectionThreads(
                name, Thread.ofPlatform().daemon().name(prefix(name), 0).factory());
    }

    private static String prefix(String name) {
        return "holdfast-" + name + "-";
    }
}
