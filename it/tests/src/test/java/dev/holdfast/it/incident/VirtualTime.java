package dev.holdfast.it.incident;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/** Time that passes only from one thing that happens to the next. */
final class VirtualTime implements InstantSource {
    private final PriorityQueue<Planned> planned =
            new PriorityQueue<>(Comparator.comparing(Planned::at).thenComparingLong(Planned::number));

    private Instant now;
    private long number;

    /** What is to happen; of two things at one moment, the one that was said first comes first. */
    private record Planned(Instant at, long number, Runnable action) {}

    VirtualTime(Instant begin) {
        this.now = begin;
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** Lets something happen after a time. */
    void after(Duration time, Runnable action) {
        planned.add(new Planned(now.plus(time), number++, action));
    }

    /** {@return when the next thing is to happen} */
    Optional<Instant> next() {
        return Optional.ofNullable(planned.peek()).map(Planned::at);
    }

    /** Lets time pass until that instant; what is planned for it or before it happens. */
    void passUntil(Instant instant) {
        for (Planned first = planned.peek(); first != null && !first.at().isAfter(instant); first = planned.peek()) {
            planned.remove();
            now = first.at().isAfter(now) ? first.at() : now;
            first.action().run();
        }
        now = instant.isAfter(now) ? instant : now;
    }
}
