package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.plan.conduct.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * How evictions begin again after a breaker closed: one in the first ten minutes, and in every further ten minutes twice as
 * many as in those before, until the limits of all allow no more than that.
 *
 * <p>One that closed by itself may be healing still, node by node: nothing is evicted in the first ten minutes after it.
 *
 * <p>With 120 an hour: 1, 2, 4, 8, 16, 32, 64, and after 70 minutes as many as the limits allow.
 *
 * @param breaker the id of the breaker
 * @param key of the node label that evictions were stopped for; absent where all were
 * @param begins when the first eviction may be made
 */
public record Resumption(String breaker, Optional<String> key, Instant closed, Instant begins) {
    private static final Duration STEP = Duration.ofMinutes(10);

    /** More steps than any limit needs. */
    private static final long MOST_STEPS = 30;

    /** {@return how evictions begin again after what the breaker saw is over} */
    public static Resumption afterHealing(String breaker, Optional<String> key, Instant closed) {
        return new Resumption(breaker, key, closed, closed.plus(STEP));
    }

    /** {@return whether what depends on these keys of node labels was stopped} */
    public boolean concerns(Set<String> nodeKeys) {
        return key.isEmpty() || nodeKeys.contains(key.get());
    }

    /** {@return how many evictions are allowed in the ten minutes that an instant is in} */
    public int allowed(Instant now) {
        return now.isBefore(begins) ? 0 : 1 << step(now);
    }

    /** {@return when those ten minutes began} */
    public Instant stepBegan(Instant now) {
        return now.isBefore(begins) ? closed : begins.plus(STEP.multipliedBy(step(now)));
    }

    /** {@return when those ten minutes end} */
    public Instant stepEnds(Instant now) {
        return stepBegan(now).plus(STEP);
    }

    /** {@return whether the limits of all allow no more than this by now} */
    public boolean isOver(Limits limits, Instant now) {
        return allowed(now) >= limits.perHour();
    }

    private int step(Instant now) {
        return (int) Math.min(MOST_STEPS, Duration.between(begins, now).dividedBy(STEP));
    }
}
