package dev.holdfast.operator.offline.simulate.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** The clock of a simulation, and what will happen in it. */
public final class Agenda implements InstantSource {
    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparing(Entry::at).thenComparingLong(Entry::number));

    private Consumer<Instant> listener = _ -> {};
    private volatile Instant now;
    private long number;

    /**
     * @param number tells apart what happens at one instant: the first that was planned happens first
     * @param retry whether the action has no effect unless something else changes before
     */
    private record Entry(Instant at, long number, Runnable what, boolean retry) {}

    public Agenda(Instant start) {
        this.now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** Runs an action later. */
    public void in(Duration time, Runnable what) {
        entries.add(new Entry(now.plus(time), ++number, what, false));
    }

    /** Tries an action again later, because it cannot be done now. */
    public void retryIn(Duration time, Runnable what) {
        entries.add(new Entry(now.plus(time), ++number, what, true));
    }

    /** {@return whether only retries are planned} */
    public boolean isQuiet() {
        return entries.stream().allMatch(Entry::retry);
    }

    /** {@return whether only retries are planned before a time} */
    public boolean isQuietUntil(Instant end) {
        return entries.stream().allMatch(entry -> entry.retry() || !entry.at().isBefore(end));
    }

    /** {@return when the next thing happens; empty if nothing is planned} */
    public Optional<Instant> next() {
        return Optional.ofNullable(entries.peek()).map(Entry::at);
    }

    /** Lets a listener get each time right before the clock goes on. */
    public void beforeAdvance(Consumer<Instant> moments) {
        listener = moments;
    }

    /** Sets the clock, which never goes back. */
    public void advanceTo(Instant instant) {
        if (instant.isAfter(now)) {
            listener.accept(now);
            now = instant;
        }
    }

    /** Lets the next thing happen that is due now. Returns false if there is none. */
    public boolean step() {
        if (next().filter(at -> !at.isAfter(now)).isEmpty()) {
            return false;
        }
        entries.remove().what().run();
        return true;
    }
}
