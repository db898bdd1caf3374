package dev.holdfast.it.incident;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/** A virtual clock that jumps from one planned action to the next. */
final class VirtualTime implements InstantSource {
    private final PriorityQueue<Planned> planned =
            new PriorityQueue<>(Comparator.comparing(Planned::at).thenComparingLong(Planned::number));

    private Instant now;
    private long number;

    /** A planned action. Two actions at the same instant run in the order in which they were planned. */
    private record Planned(Instant at, long number, Runnable action) {}

    VirtualTime(Instant begin) {
        this.now = begin;
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** Plans an action after a delay. */
    void after(Duration time, Runnable action) {
        planned.add(new Planned(now.plus(time), number++, action));
    }

    /** {@return the instant of the next planned action; empty if none is planned} */
    Optional<Instant> next() {
        return Optional.ofNullable(planned.peek()).map(Planned::at);
    }

    /** Advances the clock to the instant and runs all actions up to and including it. */
    void passUntil(Instant instant) {
        for (Planned first = planned.peek(); first != null && !first.at().isAfter(instant); first = planned.peek()) {
            planned.remove();
            now = first.at().isAfter(now) ? first.at() : now;
            first.action().run();
        }
        now = instant.isAfter(now) ? instant : now;
    }
}
