package dev.holdfast.policies.engine.memory;

import dev.holdfast.policies.forgive.Deadlines;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/** The deadline of each running violation: when its forgiveness ends, and from which instant the forgiveness counts. */
final class DueTimes implements ViolationMemory {
    private final RequestedRules requested;
    private final Readiness readiness;
    private final Deadlines deadlines = new Deadlines();

    /**
     * From when the forgiveness of a violation counts, if not from the violation's start. Example: since a policy edit
     * that allows more evictions.
     */
    private final Map<ViolationKey, Instant> countedFrom = new HashMap<>();

    DueTimes(RequestedRules requested, Readiness readiness) {
        this.requested = requested;
        this.readiness = readiness;
    }

    /** {@return the deadlines of all running violations} */
    Deadlines deadlines() {
        return deadlines;
    }

    /** Computes the deadline of a violation again. */
    void update(Violation violation) {
        deadlines.put(violation.key(), countedFrom(violation).plus(requested.forgiveness(violation)));
    }

    /**
     * Makes the whole forgiveness of a violation count from now. The deadline changes with the next {@link #update}.
     */
    void restart(ViolationKey key, Instant now) {
        countedFrom.put(key, now);
    }

    /**
     * Moves the instant from which the forgiveness of a violation counts. Does nothing if that is the start of the
     * violation, which the caller moves itself.
     *
     * @param later computes the new instant from the violation and the old instant
     */
    void postpone(Violation violation, BiFunction<Violation, Instant, Instant> later) {
        Instant from = countedFrom(violation);
        if (from.isAfter(violation.since())) {
            countedFrom.put(violation.key(), later.apply(violation, from));
        }
    }

    /**
     * {@return from when the forgiveness of a violation counts: the latest of the start of the violation, the last
     * restart of its forgiveness and, for an enforced rule, the instant since which this replica may enforce}
     */
    private Instant countedFrom(Violation violation) {
        Instant from = later(violation.since(), countedFrom.getOrDefault(violation.key(), Instant.MIN));
        return requested.isEnforced(violation.key()) ? later(from, readiness.enforcingSince()) : from;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    @Override
    public void forget(ViolationKey key) {
        deadlines.remove(key);
        countedFrom.remove(key);
    }

    @Override
    public int size() {
        return deadlines.size() + countedFrom.size();
    }
}
