package dev.holdfast.operator.feed;

import java.time.Duration;
import java.util.function.LongUnaryOperator;

/**
 * Exponential back-off with jitter: a pause of half a second after the first failure, doubled after each further
 * failure, up to 20 s. Each pause is made longer by a random time of up to half of it. So several feeds and replicas do
 * not retry at the same time. Not thread-safe.
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

    /** Sets the minimum of the next pause, for example to the {@code Retry-After} of the last response. */
    void nextIsAtLeast(Duration time) {
        least = time;
    }

    /** Returns how long to wait after this failure. The pause after the next failure is twice as long, up to 20 s. */
    Duration next() {
        long millis = next.toMillis();
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        Duration pause = Duration.ofMillis(millis + random.applyAsLong(millis / 2 + 1));
        Duration longer = pause.compareTo(least) < 0 ? least : pause;
        least = Duration.ZERO;
        return longer;
    }

    /**
     * Resets the next pause to the shortest one if a watch was open for at least 20 s.
     *
     * @param time how long the watch was open
     */
    void succeeded(Duration time) {
        if (time.compareTo(LONGEST) >= 0) {
            next = FIRST;
        }
    }
}
