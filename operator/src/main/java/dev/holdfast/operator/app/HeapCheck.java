package dev.holdfast.operator.app;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Ends the process when its heap is exhausted. The serial collector throws no OutOfMemoryError as long as each
 * collection finds some bytes. Then the process does hardly anything but collect garbage, and still answers probes now
 * and then.
 */
final class HeapCheck implements AutoCloseable {
    /**
     * How long garbage collection must have taken nearly all the time. The first evaluation of a cluster takes less.
     */
    static final Duration WINDOW = Duration.ofSeconds(10);

    /** How long samples are kept: long enough for some collections, however slow each is. */
    private static final Duration KEPT = Duration.ofMinutes(5);

    private static final int MOST_PERCENT = 90;
    private static final int FEWEST_COLLECTIONS = 3;
    private static final int ALL = 100;
    private static final long INTERVAL_SECONDS = 1;

    private final InstantSource clock;
    private final Supplier<Collected> collected;
    private final Consumer<String> onFatal;

    /** The samples of the last {@link #KEPT}, oldest first. */
    private final Deque<Sample> samples = new ArrayDeque<>();

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    private record Sample(Instant at, Collected collected) {}

    /**
     * The full collections of the heap since the process started. Other collections are short and frequent while much
     * is read.
     *
     * @param time how long they took
     */
    record Collected(long count, Duration time) {}

    /**
     * Creates a check that is not started yet.
     *
     * @param clock a clock that never goes back
     * @param collected reads the full collections since the process started
     * @param onFatal called with one line when the heap is exhausted; it should end the process
     * @param onDeath called if the thread of the check dies
     */
    HeapCheck(
            InstantSource clock,
            Supplier<Collected> collected,
            Consumer<String> onFatal,
            Thread.UncaughtExceptionHandler onDeath) {
        this.clock = clock;
        this.collected = collected;
        this.onFatal = onFatal;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("holdfast-heap")
                .uncaughtExceptionHandler(onDeath)
                .unstarted(this::run);
    }

    /** {@return a check of this process that is not started yet} */
    static HeapCheck ofThisProcess(
            InstantSource clock, Consumer<String> onFatal, Thread.UncaughtExceptionHandler onDeath) {
        return new HeapCheck(clock, HeapCheck::sinceStart, onFatal, onDeath);
    }

    /** {@return the full collections of this process} */
    static Collected sinceStart() {
        Set<String> lasting = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported())
                .map(MemoryPoolMXBean::getName)
                .collect(Collectors.toSet());
        List<GarbageCollectorMXBean> full = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(collector -> Stream.of(collector.getMemoryPoolNames()).anyMatch(lasting::contains))
                .toList();
        return new Collected(
                full.stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                        .sum(),
                Duration.ofMillis(full.stream()
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

    /**
     * Compares the time that full collections took with the time in which they happened: the shortest time of at least
     * {@link #WINDOW} with several of them. No time between two samples may be more than half of it: the process may
     * have been stopped in a collection, for example because its machine was moved.
     */
    void check() {
        samples.addLast(new Sample(clock.instant(), collected.get()));
        Sample now = samples.getLast();
        while (samples.getFirst().at().isBefore(now.at().minus(KEPT))) {
            samples.removeFirst();
        }
        Duration longest = Duration.ZERO;
        Sample next = now;
        for (Sample first : samples.reversed()) {
            Duration part = Duration.between(first.at(), next.at());
            longest = part.compareTo(longest) > 0 ? part : longest;
            next = first;
            Duration time = Duration.between(first.at(), now.at());
            long count = now.collected().count() - first.collected().count();
            if (time.compareTo(WINDOW) >= 0
                    && count >= FEWEST_COLLECTIONS
                    && longest.multipliedBy(2).compareTo(time) <= 0) {
                compare(time, now.collected().time().minus(first.collected().time()));
                return;
            }
        }
    }

    private void compare(Duration time, Duration collecting) {
        long percent = ALL * collecting.toMillis() / time.toMillis();
        if (percent >= MOST_PERCENT) {
            onFatal.accept("the heap is exhausted: garbage collection took " + percent + " % of the last "
                    + time.toSeconds() + " s; raise the memory limit");
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
