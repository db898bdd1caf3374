package dev.holdfast.it.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Whether the process has been told to stop, by Ctrl-C or SIGTERM. The JVM then ends by itself, with 130 or 143, once
 * its shutdown hooks have run; it waits for no other thread.
 */
final class StopSignal implements AutoCloseable {
    /** What fails because the process ends may fail before this knows of it. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final CountDownLatch told = new CountDownLatch(1);
    private final Thread hook;

    private StopSignal(Runnable farewell) {
        hook = Thread.ofPlatform().name("demo-ending").unstarted(() -> {
            told.countDown();
            farewell.run();
        });
    }

    /**
     * {@return what knows of the end from now on}
     *
     * @param farewell done when the process is told to stop
     */
    static StopSignal watch(Runnable farewell) {
        StopSignal stopSignal = new StopSignal(farewell);
        Runtime.getRuntime().addShutdownHook(stopSignal.hook);
        return stopSignal;
    }

    /** {@return what the JVM runs when it is told to stop} */
    Thread hook() {
        return hook;
    }

    /** {@return whether the process has been told to stop, or is within a second} */
    boolean isSoon() throws InterruptedException {
        return told.await(SOON.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The process ends of its own accord, without a farewell. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // It has been told to stop, and the hook runs.
        }
    }
}
