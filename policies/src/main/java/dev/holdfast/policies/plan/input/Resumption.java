package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.move.BreakerScope;
import java.time.Duration;
import java.time.Instant;

/**
 * The slow resumption of evictions after a breaker closed: one eviction in the first ten minutes, then twice as many in
 * each further ten minutes. The resumption is over when that number reaches the operator's hourly limit.
 *
 * <p>If the breaker closed by itself, the first step begins only ten minutes later, because the cluster may still be
 * healing.
 *
 * <p>Example with a limit of 120 an hour: 1, 2, 4, 8, 16, 32, 64, and after 70 minutes the limit alone applies.
 *
 * @param breaker the ID of the breaker
 * @param scope what the breaker held
 * @param closed when the breaker closed
 * @param begins when the first eviction is allowed
 */
public record Resumption(String breaker, BreakerScope scope, Instant closed, Instant begins) {
    private static final Duration STEP = Duration.ofMinutes(10);

    /** The maximum step number. Step n allows 2^n evictions, and 2^30 exceeds any limit. */
    private static final long MOST_STEPS = 30;

    /** {@return the slow start of evictions after a breaker closed by itself: it begins ten minutes later} */
    public static Resumption afterHealing(String breaker, BreakerScope scope, Instant closed) {
        return new Resumption(breaker, scope, closed, closed.plus(STEP));
    }

    /**
     * {@return how many evictions are allowed in the ten-minute step that contains {@code now}; 0 before the first
     * step}
     */
    public int allowed(Instant now) {
        return now.isBefore(begins) ? 0 : 1 << step(now);
    }

    /**
     * {@return when the ten-minute step that contains {@code now} began; before the first step, when the breaker
     * closed}
     */
    public Instant stepBegan(Instant now) {
        return now.isBefore(begins) ? closed : begins.plus(STEP.multipliedBy(step(now)));
    }

    /** {@return when the ten-minute step that contains {@code now} ends} */
    public Instant stepEnds(Instant now) {
        return stepBegan(now).plus(STEP);
    }

    /** {@return whether the slow start is over: its present step allows at least the operator's hourly limit} */
    public boolean isOver(OperatorLimits operatorLimits, Instant now) {
        return allowed(now) >= operatorLimits.perHour();
    }

    private int step(Instant now) {
        return (int) Math.min(MOST_STEPS, Duration.between(begins, now).dividedBy(STEP));
    }
}
