package dev.holdfast.policies.engine.report;

import java.time.Duration;
import java.util.Optional;

/**
 * What Enforce would do now, and does where it is on.
 *
 * <p>Example: 130 evictions at 60 an hour take 2 hours at least: 60 at once, 60 an hour later, and the last 10 after
 * another one.
 *
 * @param evictions how many pods would be evicted: those that were chosen, and those that wait for limits and their turn only
 * @param perHour how many at most within any hour, by the operator's limits and the policy's own
 */
public record Outlook(int evictions, int perHour) {
    private static final Duration HOUR = Duration.ofHours(1);

    /** {@return how long all of them take at least; empty where the limits allow none} */
    public Optional<Duration> atLeast() {
        if (evictions == 0) {
            return Optional.of(Duration.ZERO);
        }
        return perHour == 0 ? Optional.empty() : Optional.of(HOUR.multipliedBy((evictions - 1) / perHour));
    }
}
