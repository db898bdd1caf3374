package dev.holdfast.operator.feed;

import java.time.Duration;
import java.util.function.LongUnaryOperator;

/**
 * Exponential back-off with jitter: half a second after the first failure, doubled after each further one up to 20 s.
 * Each pause is extended by a random part of up to one half, so that kinds and replicas do not retry at once. Not
 * thread-safe.
 */
final class BackOff {
    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final LongUnaryOperator random;
    private Duration next = FIRST;
    private Duration least = Duration.ZERO;

    /**
     * A back-off that starts with the shortest pause.
     *
     * @param random returns a number from 0 (inclusive) to its argument (exclusive)
     */
    BackOff(LongUnaryOperator random) {
        this.random = random;
    }

    /** Sets the minimum of the next pause, such as the {@code Retry-After} of the last answer. */
    void nextIsAtLeast(Duration time) {
        least = time;
    }

    /** {@return how long to wait now} Doubles the next pause. */
    Duration next() {
        long millis = next.toMillis();
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        Duration pause = Duration.ofMillis(millis + random.applyAsLong(millis / 2 + 1));
        Duration longer = pause.compareTo(least) < 0 ? least : pause;
        least = Duration.ZERO;
        return longer;
    }

    /** Reports how long a watch worked. After at least 20 s the next pause is the shortest again. */
    void succeeded(Duration time) {
        if (time.compareTo(LONGEST) >= 0) {
            next = FIRST;
        }
    }
}
