package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.plan.conduct.OperatorLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The slow resumption of evictions after a breaker closed: one eviction in the first ten minutes, then twice as many in
 * each further ten minutes. It is over when the operator's hourly limit allows no more than that.
 *
 * <p>After a breaker that closed by itself, no pod is evicted for the first ten minutes, because the cluster may still
 * be healing.
 *
 * <p>Example with a limit of 120 an hour: 1, 2, 4, 8, 16, 32, 64, and after 70 minutes the limit alone applies.
 *
 * @param breaker the ID of the breaker
 * @param key the node label whose breaker it was; absent if the breaker stopped all evictions
 * @param begins when the first eviction is allowed
 */
public record Resumption(String breaker, Optional<String> key, Instant closed, Instant begins) {
    private static final Duration STEP = Duration.ofMinutes(10);

    /** A bound on the steps, larger than any limit needs. */
    private static final long MOST_STEPS = 30;

    /** {@return the resumption after a breaker closed by itself: it begins ten minutes later} */
    public static Resumption afterHealing(String breaker, Optional<String> key, Instant closed) {
        return new Resumption(breaker, key, closed, closed.plus(STEP));
    }

    /** {@return whether the breaker stopped evictions for rules that depend on these node label keys} */
    public boolean concerns(Set<String> nodeKeys) {
        return key.isEmpty() || nodeKeys.contains(key.get());
    }

    /** {@return the number of evictions allowed in the ten-minute step that an instant is in} */
    public int allowed(Instant now) {
        return now.isBefore(begins) ? 0 : 1 << step(now);
    }

    /** {@return when that step began} */
    public Instant stepBegan(Instant now) {
        return now.isBefore(begins) ? closed : begins.plus(STEP.multipliedBy(step(now)));
    }

    /** {@return when that step ends} */
    public Instant stepEnds(Instant now) {
        return stepBegan(now).plus(STEP);
    }

    /** {@return whether the operator's hourly limit allows no more than this step} */
    public boolean isOver(OperatorLimits operatorLimits, Instant now) {
        return allowed(now) >= operatorLimits.perHour();
    }

    private int step(Instant now) {
        return (int) Math.min(MOST_STEPS, Duration.between(begins, now).dividedBy(STEP));
    }
}
