package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.Event;
import java.time.Duration;
import java.time.Instant;

/**
 * When verdicts are compared with what they mean, and on how many pods at a time: as many as take a millisecond, and
 * after that a hundred times as long for everything else.
 */
final class ComparePace {
    private static final int SHARE = 100;
    private static final int MOST_PODS = 1_024;
    private static final Duration LONG = Duration.ofMillis(1);
    private static final Duration LEAST_PAUSE = Duration.ofMillis(200);

    private Instant next;
    private int pods = 1;

    ComparePace(Instant start) {
        this.next = start.plus(LEAST_PAUSE);
    }

    /** {@return when there is time again} */
    Instant next() {
        return next;
    }

    /** {@return what the engine is told then} */
    Event event() {
        return new Event.TimeToCompare(pods);
    }

    /** Notes how long the last comparison took. */
    void took(Instant began, Instant ended) {
        Duration took = Duration.between(began, ended);
        Duration pause = took.multipliedBy(SHARE);
        next = ended.plus(pause.compareTo(LEAST_PAUSE) > 0 ? pause : LEAST_PAUSE);
        if (took.compareTo(LONG) > 0) {
            pods = Math.max(1, pods / 2);
        } else if (took.multipliedBy(2).compareTo(LONG) < 0) {
            pods = Math.min(MOST_PODS, pods * 2);
        }
    }
}
