package dev.holdfast.operator.lead;

import dev.holdfast.operator.api.SteadyClock;
import java.time.Duration;
import java.time.Instant;

/** Both clocks of a machine, moved by hand. */
final class HandClock {
    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private long nanos;
    private Instant wall = START;

    SteadyClock clock() {
        return new SteadyClock(() -> wall, () -> nanos);
    }

    /** Time passes. */
    void passes(Duration time) {
        nanos += time.toNanos();
        wall = wall.plus(time);
    }

    /** Somebody sets the wall clock, or the machine sleeps. */
    void wallMoves(Duration by) {
        wall = wall.plus(by);
    }
}
