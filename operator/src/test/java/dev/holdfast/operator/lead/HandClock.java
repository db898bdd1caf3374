package dev.holdfast.operator.lead;

import dev.holdfast.operator.api.SteadyClock;
import java.time.Duration;
import java.time.Instant;

/** The monotonic clock and the wall clock of a machine, advanced by the test. */
final class HandClock {
    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private long nanos;
    private Instant wall = START;

    SteadyClock clock() {
        return new SteadyClock(() -> wall, () -> nanos);
    }

    /** Advances both clocks. */
    void passes(Duration time) {
        nanos += time.toNanos();
        wall = wall.plus(time);
    }

    /** Moves only the wall clock, as when a user sets it or the machine sleeps. */
    void wallMoves(Duration by) {
        wall = wall.plus(by);
    }
}
