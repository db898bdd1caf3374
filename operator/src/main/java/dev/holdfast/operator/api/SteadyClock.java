package dev.holdfast.operator.api;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The operator's monotonic clock: the wall-clock time at its creation plus the time elapsed since then. This clock
 * never goes back, and a later change of the wall clock does not affect it.
 */
public final class SteadyClock implements InstantSource {
    private final InstantSource wall;
    private final LongSupplier nanoTime;
    private final Instant start;
    private final long startNanos;

    /**
     * A clock that starts at the wall clock's present time. Example: {@code new SteadyClock(InstantSource.system(),
     * System::nanoTime)}.
     */
    public SteadyClock(InstantSource wall, LongSupplier nanoTime) {
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.start = wall.instant();
        this.startNanos = nanoTime.getAsLong();
    }

    /** {@return the current time; never earlier than a time returned before} */
    @Override
    public Instant instant() {
        return start.plusNanos(nanoTime.getAsLong() - startNanos);
    }

    /** {@return the present wall-clock time, which may jump when the wall clock is set} */
    public Instant wall() {
        return wall.instant();
    }
}
