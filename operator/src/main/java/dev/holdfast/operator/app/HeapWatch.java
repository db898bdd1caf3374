package dev.holdfast.operator.app;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Ends the process when its heap is exhausted. The serial collector throws no OutOfMemoryError as long as each collection
 * finds some bytes. Then the process does hardly anything but collect garbage, and still answers probes now and then.
 */
final class HeapWatch implements AutoCloseable {
    /** How long garbage collection must have taken nearly all the time. The first evaluation of a cluster takes less. */
    static final Duration WINDOW = Duration.ofSeconds(10);

    private static final int MOST_PERCENT = 90;
    private static final int ALL = 100;
    private static final long INTERVAL_SECONDS = 1;

    private final InstantSource clock;
    private final Supplier<Duration> collecting;
    private final Consumer<String> onFatal;

    /** Of the last {@link #WINDOW}, and the last one before it; oldest first. */
    private final Deque<Sample> samples = new ArrayDeque<>();

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("holdfast-heap").unstarted(this::lookAgainAndAgain);

    private record Sample(Instant at, Duration collecting) {}

    /**
     * Creates a watch that is not started yet.
     *
     * @param clock a clock that never goes back
     * @param collecting reads how long garbage was collected since the process started
     * @param onFatal called with one line when the heap is exhausted; it should end the process
     */
    HeapWatch(InstantSource clock, Supplier<Duration> collecting, Consumer<String> onFatal) {
        this.clock = clock;
        this.collecting = collecting;
        this.onFatal = onFatal;
    }

    /** {@return a watch of this process that is not started yet} */
    static HeapWatch ofThisProcess(InstantSource clock, Consumer<String> onFatal) {
        return new HeapWatch(clock, HeapWatch::collectedSinceStart, onFatal);
    }

    private static Duration collectedSinceStart() {
        return Duration.ofMillis(ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum());
    }

    /** Starts to look each second. */
    void start() {
        thread.start();
    }

    private void lookAgainAndAgain() {
        try {
            do {
                look();
            } while (!closed.await(INTERVAL_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Compares the time that garbage collection took within the window with the length of the window. */
    void look() {
        Sample now = new Sample(clock.instant(), collecting.get());
        samples.addLast(now);
        Instant begin = now.at().minus(WINDOW);
        Sample first = samples.removeFirst();
        while (!samples.isEmpty() && !samples.getFirst().at().isAfter(begin)) {
            first = samples.removeFirst();
        }
        samples.addFirst(first);
        Duration time = Duration.between(first.at(), now.at());
        if (time.compareTo(WINDOW) >= 0) {
            long percent = ALL * now.collecting().minus(first.collecting()).toMillis() / time.toMillis();
            if (percent >= MOST_PERCENT) {
                onFatal.accept("the heap is exhausted: garbage collection took " + percent + " % of the last "
                        + time.toSeconds() + " s; raise the memory limit of the container");
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
