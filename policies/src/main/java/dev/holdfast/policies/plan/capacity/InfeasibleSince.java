package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.forgive.ViolationKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Records for how long candidates have had no feasible node, as far as they were checked. A check that finds a node
 * ends the time. So does a gap between checks that is too long, because a node may have been free in between.
 */
public final class InfeasibleSince {
    /** The longest gap between two checks, far longer than usual even when very many violations are due. */
    private static final Duration UNSEEN = Duration.ofMinutes(5);

    private final Map<ViolationKey, Stretch> known = new HashMap<>();

    /**
     * A time without a feasible node.
     *
     * @param since the first check that found none
     * @param last the last such check so far
     */
    public record Stretch(Instant since, Instant last) {}

    /** Records a check that found no node. */
    public void foundNone(ViolationKey key, Instant now) {
        Instant since = of(key).filter(it -> !it.last().plus(UNSEEN).isBefore(now))
                .map(Stretch::since)
                .orElse(now);
        known.put(key, new Stretch(since, now));
    }

    /** {@return the time without a feasible node; absent if the last check found one, or if there was none} */
    public Optional<Stretch> of(ViolationKey key) {
        return Optional.ofNullable(known.get(key));
    }

    /** Ends the time: a check found a node, or the clock of the violation restarted. */
    public void forget(ViolationKey key) {
        known.remove(key);
    }

    public int size() {
        return known.size();
    }
}
