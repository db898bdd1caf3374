package dev.holdfast.policies.rule;

import java.time.Duration;
import java.util.Optional;

/**
 * What to do with a due violation while no other node would take the pod.
 *
 * @param evictAfter evict the pod nevertheless once no other node would have taken it for this time without
 *     interruption; the replacement may then stay Pending. Absent: hold until another node would take the pod
 */
public record WhenInfeasible(Optional<Duration> evictAfter) {
    /** Hold the violation until another node would take the pod. */
    public static final WhenInfeasible WAIT = new WhenInfeasible(Optional.empty());

    /** Evict at once, even if no other node would take the pod. */
    public static final WhenInfeasible EVICT = evictAfter(Duration.ZERO);

    /** {@return the setting to evict once no other node would have taken the pod for this time} */
    public static WhenInfeasible evictAfter(Duration time) {
        return new WhenInfeasible(Optional.of(time));
    }

    /** {@return whether this setting evicts sooner than {@code other}, or at all if {@code other} always holds} */
    public boolean isWiderThan(WhenInfeasible other) {
        return evictAfter
                .filter(time -> other.evictAfter
                        .filter(longest -> longest.compareTo(time) <= 0)
                        .isEmpty())
                .isPresent();
    }
}
