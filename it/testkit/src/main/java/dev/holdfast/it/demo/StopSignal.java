package dev.holdfast.it.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The signal to stop the process, Ctrl-C or SIGTERM. The JVM then runs its shutdown hooks and ends with 130 or 143,
 * without waiting for other threads.
 */
final class StopSignal implements AutoCloseable {
    /**
     * How long to wait for the signal after a failed call: Ctrl-C may be why it failed, but the shutdown hook may run
     * later.
     */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final CountDownLatch requested = new CountDownLatch(1);
    private final Thread hook;

    private StopSignal(Runnable farewell) {
        hook = Thread.ofPlatform().name("demo-ending").unstarted(() -> {
            requested.countDown();
            farewell.run();
        });
    }

    /**
     * Registers a shutdown hook that notices the signal, and returns an object that can wait for the signal.
     *
     * @param farewell runs in the shutdown hook when the signal comes
     */
    static StopSignal watch(Runnable farewell) {
        StopSignal stopSignal = new StopSignal(farewell);
        Runtime.getRuntime().addShutdownHook(stopSignal.hook);
        return stopSignal;
    }

    /** {@return the shutdown hook} */
    Thread hook() {
        return hook;
    }

    /** Waits up to a second for the signal, and returns whether it came. */
    boolean isSoon() throws InterruptedException {
        return requested.await(SOON.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Removes the shutdown hook, because the demo has ended without the signal. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The signal came, and the hook runs.
        }
    }
}
