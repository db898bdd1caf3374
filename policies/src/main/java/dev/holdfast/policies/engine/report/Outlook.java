package dev.holdfast.policies.engine.report;

import java.time.Duration;
import java.util.Optional;

/**
 * A forecast for one policy: the evictions that mode Enforce would start, or will start if the policy is in that mode.
 *
 * <p>Example: 130 evictions at 60 an hour take at least 2 hours: 60 now, 60 after one hour, and 10 after two.
 *
 * @param evictions the number of pods to evict: those that a plan chose, and those that wait only for limits or for
 *     planning
 * @param perHour the maximum number of evictions in any hour: the lower of the operator's limit and the policy's own
 */
public record Outlook(int evictions, int perHour) {
    private static final Duration HOUR = Duration.ofHours(1);

    /** {@return the minimum time until the last eviction starts; empty if the limits allow no eviction} */
    public Optional<Duration> atLeast() {
        if (evictions == 0) {
            return Optional.of(Duration.ZERO);
        }
        return perHour == 0 ? Optional.empty() : Optional.of(HOUR.multipliedBy((evictions - 1) / perHour));
    }
}
