package dev.holdfast.operator.lead;

import dev.holdfast.operator.api.SteadyClock;
import java.time.Duration;
import java.time.Instant;

/**
 * One instant, read from two clocks.
 *
 * @param steady the monotonic clock, which may stop while the machine sleeps
 * @param wall the wall clock, which continues while the machine sleeps but may be set at any time
 */
record ClockReading(Instant steady, Instant wall) {
    static ClockReading now(SteadyClock clock) {
        return new ClockReading(clock.instant(), clock.wall());
    }

    /** {@return how far the wall clock is ahead of the monotonic clock; negative if it is behind} */
    Duration offset() {
        return Duration.between(steady, wall);
    }

    /**
     * {@return by how much the two clocks disagree about the time since an earlier reading} For example 5 s if 10 s
     * have passed by one clock and 15 s by the other.
     */
    Duration driftSince(ClockReading earlier) {
        return Duration.between(earlier.steady, steady)
                .minus(Duration.between(earlier.wall, wall))
                .abs();
    }
}
