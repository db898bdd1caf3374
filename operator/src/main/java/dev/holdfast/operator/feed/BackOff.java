package dev.holdfast.operator.feed;

import java.time.Duration;
import java.util.function.LongUnaryOperator;

/**
 * How long to wait between failures: half a second, then twice as long each time up to 20 s, and each up to half as long
 * again, so that the kinds and the replicas do not come back all at once. For one thread.
 */
final class BackOff {
    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final LongUnaryOperator random;
    private Duration next = FIRST;
    private Duration least = Duration.ZERO;

    /**
     * Begins with the shortest.
     *
     * @param random a number from zero up to, and without, its argument
     */
    BackOff(LongUnaryOperator random) {
        this.random = random;
    }

    /** The next pause takes at least this long: the server that refused the last request asked for it. */
    void nextIsAtLeast(Duration time) {
        least = time;
    }

    /** {@return how long to wait now} */
    Duration next() {
        long millis = next.toMillis();
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        Duration pause = Duration.ofMillis(millis + random.applyAsLong(millis / 2 + 1));
        Duration longer = pause.compareTo(least) < 0 ? least : pause;
        least = Duration.ZERO;
        return longer;
    }

    /** Something went well for so long: begins anew with the shortest, if that makes failures no more frequent. */
    void wentWell(Duration time) {
        if (time.compareTo(LONGEST) >= 0) {
            next = FIRST;
        }
    }
}
