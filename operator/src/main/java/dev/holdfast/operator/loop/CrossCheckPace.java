package dev.holdfast.operator.loop;

import dev.holdfast.policies.engine.protocol.Event;
import java.time.Duration;
import java.time.Instant;

/**
 * Timer of the cross-check, which evaluates some verdicts a second time and compares the results. The number of pods in
 * one comparison adapts, so that each comparison takes about a millisecond. The pause after each is 100 times as long
 * as the comparison, and at least 200 ms.
 */
final class CrossCheckPace {
    private static final int SHARE = 100;
    private static final Duration LONG = Duration.ofMillis(1);
    private static final Duration LEAST_PAUSE = Duration.ofMillis(200);

    /**
     * The maximum number of pods in one comparison. The number is small, because one verdict may take 100 times as long
     * as another.
     */
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
     * Plans the next comparison from the duration of the last one: when it starts, and how many pods it may compare.
     *
     * @param verdicts how many verdicts were compared; 0 does not show how fast verdicts are, so the next comparison is
     *     not made larger
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
