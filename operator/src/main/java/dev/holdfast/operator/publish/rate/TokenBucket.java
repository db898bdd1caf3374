package dev.holdfast.operator.publish.rate;

import java.time.Duration;
import java.time.Instant;

/** A token bucket for rate limits: it starts full, and gains one token per interval. Not thread-safe. */
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

    /** Takes this many tokens if the bucket has them, otherwise none; returns whether the bucket had them. */
    boolean take(int wanted, Instant now) {
        if (!has(wanted, now)) {
            return false;
        }
        tokens -= wanted;
        return true;
    }

    /** {@return whether the bucket has this many tokens now} */
    boolean has(int wanted, Instant now) {
        long earned = Math.max(0, Duration.between(countedAt, now).dividedBy(interval));
        if (tokens + earned >= capacity) {
            tokens = capacity;
            countedAt = now;
        } else {
            tokens += (int) earned;
            countedAt = countedAt.plus(interval.multipliedBy(earned));
        }
        return tokens >= wanted;
    }

    /** {@return whether the bucket is full, as a new one is} */
    boolean isFull(Instant now) {
        return has(capacity, now);
    }
}
