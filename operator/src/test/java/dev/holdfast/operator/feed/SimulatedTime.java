package dev.holdfast.operator.feed;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Time that passes only when a test lets it. The threads of feeds run one at a time, each until it waits for something, so
 * that the same seed makes the same history.
 */
final class SimulatedTime implements FeedClock {
    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    /** By a real clock: whoever runs for so long neither waits nor ends. */
    private static final long STUCK_SECONDS = 60;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stopped = lock.newCondition();
    private final List<Waiter> waiters = new ArrayList<>();
    private final PriorityQueue<Planned> planned =
            new PriorityQueue<>(Comparator.comparing(Planned::at).thenComparingLong(Planned::number));
    private final Random random;
    private volatile Instant now = START;
    private long plans;
    private boolean running;

    /** A thread that waits; it goes on when it is told to. */
    private static final class Waiter {
        private final BooleanSupplier ready;
        private final Instant until;
        private final Condition turn;
        private boolean goes;

        Waiter(BooleanSupplier ready, Instant until, Condition turn) {
            this.ready = ready;
            this.until = until;
            this.turn = turn;
        }
    }

    private record Planned(Instant at, long number, Runnable action) {}

    SimulatedTime(long seed) {
        this.random = new Random(seed);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public long random(long bound) {
        return random.nextLong(bound);
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        boolean _ = await(() -> false, time);
    }

    /**
     * {@return whether something is so, which the thread waits for}
     *
     * @param longest how long it waits
     */
    boolean await(BooleanSupplier ready, Duration longest) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Waiter waiter = new Waiter(ready, now.plus(longest), lock.newCondition());
            waiters.add(waiter);
            stops();
            try {
                while (!waiter.goes) {
                    waiter.turn.await();
                }
            } finally {
                waiters.remove(waiter);
            }
            return ready.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    /** Starts a thread, and lets it run until it waits. */
    void begin(Runnable start) {
        lock.lock();
        try {
            running = true;
            start.run();
            awaitStop();
        } finally {
            lock.unlock();
        }
    }

    /** A thread has come to its end. */
    void ended() {
        lock.lock();
        try {
            stops();
        } finally {
            lock.unlock();
        }
    }

    /** Does something later, on the test's own thread. */
    void after(Duration time, Runnable action) {
        planned.add(new Planned(now.plus(time), plans++, action));
    }

    /** {@return whether anything could be done at this instant; the first of it is done now} */
    boolean goOn() {
        if (!planned.isEmpty() && !planned.peek().at().isAfter(now)) {
            planned.remove().action().run();
            return true;
        }
        lock.lock();
        try {
            Optional<Waiter> next = waiters.stream()
                    .filter(it -> !it.until.isAfter(now) || it.ready.getAsBoolean())
                    .findFirst();
            next.ifPresent(waiter -> {
                waiter.goes = true;
                running = true;
                waiter.turn.signal();
                awaitStop();
            });
            return next.isPresent();
        } finally {
            lock.unlock();
        }
    }

    /** {@return when something happens next if nothing else does} */
    Optional<Instant> next() {
        lock.lock();
        try {
            return Stream.concat(
                            waiters.stream().map(it -> it.until),
                            planned.stream().map(Planned::at))
                    .min(Comparator.naturalOrder());
        } finally {
            lock.unlock();
        }
    }

    /** It is now so late. */
    void is(Instant later) {
        now = later;
    }

    private void stops() {
        running = false;
        stopped.signalAll();
    }

    private void awaitStop() {
        try {
            while (running) {
                if (!stopped.await(STUCK_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("a feed neither waits nor ends");
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
