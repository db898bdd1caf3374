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
 * Simulated clock and scheduler: time passes only when a test advances it. The threads of feeds run one at a time, each
 * until it waits. So the same seed gives the same history.
 */
final class SimulatedTime implements FeedClock {
    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    /** A thread that runs for longer than these seconds of real time is stuck. */
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

    /** A waiting thread. It continues when its condition {@code turn} is signalled. */
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
     * Waits until the condition holds, for the longest wait at most, and returns whether it holds.
     *
     * @param ready the condition
     * @param longest the longest wait
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

    /** Starts a thread, and returns when it waits or ends. */
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

    /** Records that the running thread ends. */
    void ended() {
        lock.lock();
        try {
            stops();
        } finally {
            lock.unlock();
        }
    }

    /** Schedules an action on the test's thread. */
    void after(Duration time, Runnable action) {
        planned.add(new Planned(now.plus(time), plans++, action));
    }

    /** Runs the first action or thread that is due now, and returns whether there was one. */
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

    /** {@return the time of the next action or timeout; empty if nothing is pending} */
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

    /** Sets the time. */
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
