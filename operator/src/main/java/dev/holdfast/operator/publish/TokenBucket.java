package dev.holdfast.operator.publish;

import java.time.Duration;
import java.time.Instant;

/** A ration: some at once, and one more each interval. Starts full. For one thread. */
final class TokenBucket {
    private final int capacity;
    private final Duration interval;
    private int tokens;
    private Instant countedAt;

    TokenBucket(int capacity, Duration interval, Instant now) {
        this.capacity = capacity;
        this.interval = interval;
        this.tokens = capacity;
        this.countedAt = now;
    }

    /** {@return whether there was a token, which is gone now} */
    boolean take(Instant now) {
        long earned = Math.max(0, Duration.between(countedAt, now).dividedBy(interval));
        if (tokens + earned >= capacity) {
            tokens = capacity;
            countedAt = now;
        } else {
            tokens += (int) earned;
            countedAt = countedAt.plus(interval.multipliedBy(earned));
        }
        if (tokens == 0) {
            return false;
        }
        tokens--;
        return true;
    }
}
