package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.protocol.Event;
import java.time.Duration;
import java.time.Instant;

/**
 * The pace of the cross-check, which evaluates verdicts a second time and compares them. It compares as many at a time
 * as take a millisecond, and then pauses for a hundred times as long.
 */
final class CrossCheckPace {
    private static final int SHARE = 100;
    private static final Duration LONG = Duration.ofMillis(1);
    private static final Duration LEAST_PAUSE = Duration.ofMillis(200);

    /** The limit per comparison: a verdict may take a hundred times as long as those before it. */
    private static final int MOST = 32;

    private Instant next;
    private int most = 1;

    CrossCheckPace(Instant start) {
        this.next = start.plus(LEAST_PAUSE);
    }

    /** {@return when the next comparison is due} */
    Instant next() {
        return next;
    }

    /** {@return the event that starts the next comparison} */
    Event.TimeToCompare event() {
        return new Event.TimeToCompare(most);
    }

    /**
     * Adapts the pace to the duration of the last comparison.
     *
     * @param verdicts how many were compared; with 0 the number for the next comparison does not grow
     */
    void took(Instant began, Instant ended, int verdicts) {
        Duration took = Duration.between(began, ended);
        Duration pause = took.multipliedBy(SHARE);
        next = ended.plus(pause.compareTo(LEAST_PAUSE) > 0 ? pause : LEAST_PAUSE);
        if (took.compareTo(LONG) > 0) {
            most = Math.max(1, most / 2);
        } else if (verdicts > 0 && took.multipliedBy(2).compareTo(LONG) < 0) {
            most = Math.min(MOST, most * 2);
        }
    }
}
