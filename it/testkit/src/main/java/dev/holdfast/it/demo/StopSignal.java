package dev.holdfast.it.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A request to stop the process, by Ctrl-C or SIGTERM. The JVM then runs its shutdown hooks and ends with 130 or 143,
 * without waiting for other threads.
 */
final class StopSignal implements AutoCloseable {
    /** A call that fails because the process ends may fail before the hook runs. */
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
     * {@return a new signal, registered with the JVM}
     *
     * @param farewell runs when the process is to stop
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

    /** {@return whether the process is to stop; waits up to a second for the request} */
    boolean isSoon() throws InterruptedException {
        return requested.await(SOON.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The process ends by itself, without a farewell. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The process is to stop, and the hook runs.
        }
    }
}
