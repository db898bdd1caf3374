package dev.holdfast.policies.rule;

import java.time.Duration;
import java.util.Optional;

/**
 * What to do with a due violation while no other node would take the pod.
 *
 * @param evictAfter how long no other node may take the pod, without interruption, before it is evicted nevertheless;
 *     the replacement may then stay Pending. Absent to hold the violation until another node would take the pod
 */
public record WhenInfeasible(Optional<Duration> evictAfter) {
    /** Hold the violation until another node would take the pod. */
    public static final WhenInfeasible WAIT = new WhenInfeasible(Optional.empty());

    /** Evict at once. */
    public static final WhenInfeasible EVICT = evictAfter(Duration.ZERO);

    /** {@return the choice to evict once no other node would have taken the pod for this time} */
    public static WhenInfeasible evictAfter(Duration time) {
        return new WhenInfeasible(Optional.of(time));
    }

    /** {@return whether this choice evicts at a time when the other would hold} */
    public boolean isWiderThan(WhenInfeasible other) {
        return evictAfter
                .filter(time -> other.evictAfter
                        .filter(longest -> longest.compareTo(time) <= 0)
                        .isEmpty())
                .isPresent();
    }
}
