package dev.holdfast.policies.rule;

import java.time.Duration;
import java.util.Optional;

/**
 * What to do with a due violation while no other node would take the pod.
 *
 * @param evictAfter for how long no node must have taken it, without interruption, until it is evicted all the same, and
 *     the replacement may stay pending; absent to hold it until a node would, however long that takes
 */
public record WhenInfeasible(Optional<Duration> evictAfter) {
    /** Hold it until a node would. */
    public static final WhenInfeasible WAIT = new WhenInfeasible(Optional.empty());

    /** Evict at once. */
    public static final WhenInfeasible EVICT = evictAfter(Duration.ZERO);

    /** {@return to evict once no node would have taken the pod for so long} */
    public static WhenInfeasible evictAfter(Duration time) {
        return new WhenInfeasible(Optional.of(time));
    }

    /** {@return whether this evicts what the other would hold} */
    public boolean goesFurtherThan(WhenInfeasible other) {
        return evictAfter
                .filter(time -> other.evictAfter
                        .filter(longest -> longest.compareTo(time) <= 0)
                        .isEmpty())
                .isPresent();
    }
}
