package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.forgive.ViolationKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Records, for each violation, since when no node would take its pod. The record begins with a check that finds no
 * node, and ends with a check that finds one. The record begins again after a gap of more than five minutes between two
 * checks, because a node might have taken the pod in the gap.
 */
public final class InfeasibleSince {
    /**
     * If more time than this passes between two checks, the time without a node begins again. Usually far less time
     * passes.
     */
    private static final Duration UNSEEN = Duration.ofMinutes(5);

    private final Map<ViolationKey, Period> known = new HashMap<>();

    /**
     * A period in which no check found a node for the pod.
     *
     * @param since the first of these checks
     * @param last the latest of these checks so far
     */
    public record Period(Instant since, Instant last) {}

    /** Records that a check found no node for the pod. */
    public void foundNone(ViolationKey key, Instant now) {
        Instant since = of(key).filter(it -> !it.last().plus(UNSEEN).isBefore(now))
                .map(Period::since)
                .orElse(now);
        known.put(key, new Period(since, now));
    }

    /** Records that no check would have found a node since the last check, because nothing changed. */
    public void stillNone(ViolationKey key, Instant now) {
        known.computeIfPresent(key, (_, period) -> new Period(period.since(), now));
    }

    /** {@return since when no node would take the pod; empty if the last check found one, or if there was no check} */
    public Optional<Period> of(ViolationKey key) {
        return Optional.ofNullable(known.get(key));
    }

    /**
     * Forgets since when no node would take the pod of a violation. Called when the violation ended or its due time was
     * computed again. Also called when a check found a node, or could not be made.
     */
    public void forget(ViolationKey key) {
        known.remove(key);
    }

    public int size() {
        return known.size();
    }
}
