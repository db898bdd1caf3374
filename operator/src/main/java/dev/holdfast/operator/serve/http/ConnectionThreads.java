package dev.holdfast.operator.serve.http;

import java.util.concurrent.ThreadFactory;

/**
 * The threads of a {@link ConnectionListener}: one for each connection.
 *
 * @param name what the listener is for, in the names of its threads
 * @param onDeath called if a thread of the listener or of a connection dies
 */
public record ConnectionThreads(String name, ThreadFactory ofConnections, Thread.UncaughtExceptionHandler onDeath) {
    /** {@return virtual threads, which share as many threads of the system as there are CPUs} */
    public static ConnectionThreads virtual(String name, Thread.UncaughtExceptionHandler onDeath) {
        return new ConnectionThreads(name, with(Thread.ofVirtual(), name, onDeath), onDeath);
    }

    /**
     * {@return threads of the system} These threads do not wait while TLS handshakes of another listener hold all
     * threads that virtual threads share.
     */
    public static ConnectionThreads ofSystem(String name, Thread.UncaughtExceptionHandler onDeath) {
        return new ConnectionThreads(name, with(Thread.ofPlatform().daemon(), name, onDeath), onDeath);
    }

    private static ThreadFactory with(Thread.Builder builder, String name, Thread.UncaughtExceptionHandler onDeath) {
        return builder.name("holdfast-" + name + "-", 0)
                .uncaughtExceptionHandler(onDeath)
                .factory();
    }
}
