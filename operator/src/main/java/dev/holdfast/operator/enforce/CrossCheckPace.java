package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.protocol.Event;
import java.time.Duration;
import java.time.Instant;

/**
 * When verdicts are compared with what they mean, and how many at a time: as many as take a millisecond, and after that a
 * hundred times as long for everything else.
 */
final class CrossCheckPace {
    private static final int SHARE = 100;
    private static final Duration LONG = Duration.ofMillis(1);
    private static final Duration LEAST_PAUSE = Duration.ofMillis(200);

    /** One verdict may take a hundred times as long as those before: a surprise must stay a short one. */
    private static final int MOST = 32;

    private Instant next;
    private int most = 1;

    CrossCheckPace(Instant start) {
        this.next = start.plus(LEAST_PAUSE);
    }

    /** {@return when there is time again} */
    Instant next() {
        return next;
    }

    /** {@return what the engine is told then} */
    Event.TimeToCompare event() {
        return new Event.TimeToCompare(most);
    }

    /**
     * Notes how long the last comparison took.
     *
     * @param verdicts how many were compared: from none nothing is learned of how long one takes
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
