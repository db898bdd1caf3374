package dev.holdfast.operator.app;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Ends the process when its heap is exhausted. The serial collector throws no OutOfMemoryError as long as each collection
 * finds some bytes. Then the process does hardly anything but collect garbage, and still answers probes now and then.
 */
final class HeapCheck implements AutoCloseable {
    /** How long garbage collection must have taken nearly all the time. The first evaluation of a cluster takes less. */
    static final Duration WINDOW = Duration.ofSeconds(10);

    private static final int MOST_PERCENT = 90;
    private static final int FEWEST_COLLECTIONS = 3;
    private static final int ALL = 100;
    private static final long INTERVAL_SECONDS = 1;

    private final InstantSource clock;
    private final Supplier<Collected> collected;
    private final Consumer<String> onFatal;

    /** Of the last {@link #WINDOW}, and the last one before it; oldest first. */
    private final List<Sample> samples = new ArrayList<>();

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("holdfast-heap").unstarted(this::run);

    private record Sample(Instant at, Collected collected) {}

    /**
     * The garbage collected since the process started.
     *
     * @param time how long they took
     */
    record Collected(long count, Duration time) {}

    /**
     * Creates a check that is not started yet.
     *
     * @param clock a clock that never goes back
     * @param collected reads the garbage collected since the process started
     * @param onFatal called with one line when the heap is exhausted; it should end the process
     */
    HeapCheck(InstantSource clock, Supplier<Collected> collected, Consumer<String> onFatal) {
        this.clock = clock;
        this.collected = collected;
        this.onFatal = onFatal;
    }

    /** {@return a check of this process that is not started yet} */
    static HeapCheck ofThisProcess(InstantSource clock, Consumer<String> onFatal) {
        return new HeapCheck(clock, HeapCheck::sinceStart, onFatal);
    }

    private static Collected sinceStart() {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        return new Collected(
                collectors.stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                        .sum(),
                Duration.ofMillis(collectors.stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .sum()));
    }

    /** Starts to check every second. */
    void start() {
        thread.start();
    }

    private void run() {
        try {
            do {
                check();
            } while (!closed.await(INTERVAL_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Compares the time that garbage collection took within the window with the length of the window. */
    void check() {
        Sample now = new Sample(clock.instant(), collected.get());
        samples.add(now);
        Instant begin = now.at().minus(WINDOW);
        while (samples.size() > 1 && !samples.get(1).at().isAfter(begin)) {
            samples.removeFirst();
        }
        Sample first = samples.getFirst();
        Duration time = Duration.between(first.at(), now.at());
        if (time.compareTo(WINDOW) < 0) {
            return;
        }
        long count = now.collected().count() - first.collected().count();
        Duration collecting = now.collected().time().minus(first.collected().time());
        long percent = ALL * collecting.toMillis() / time.toMillis();
        // One long collection is one in which the process was stopped, for example because the machine was moved.
        if (percent >= MOST_PERCENT && count >= FEWEST_COLLECTIONS) {
            onFatal.accept("the heap is exhausted: garbage collection took " + percent + " % of the last "
                    + time.toSeconds() + " s; raise the memory limit");
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
