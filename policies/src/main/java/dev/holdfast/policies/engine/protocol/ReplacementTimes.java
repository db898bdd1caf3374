package dev.holdfast.policies.engine.protocol;

import java.time.Duration;

/**
 * The times by which the replacement of an evicted pod is a success or a failure.
 *
 * @param minReady how long the replacement must be Ready without interruption to count as Ready; a container without a
 *     readiness probe is Ready as soon as it starts, even if it crashes a second later
 * @param timeout the time from the eviction within which the replacement must count as Ready
 */
public record ReplacementTimes(Duration minReady, Duration timeout) {
    /** {@return 10 seconds and 10 minutes} */
    public static ReplacementTimes defaults() {
        return new ReplacementTimes(Duration.ofSeconds(10), Duration.ofMinutes(10));
    }
}
