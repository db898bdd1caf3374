package dev.holdfast.operator.api;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The operator's monotonic clock: the wall clock at the start plus the time elapsed since. It never goes back and
 * ignores steps of the wall clock.
 */
public final class SteadyClock implements InstantSource {
    private final InstantSource wall;
    private final LongSupplier nanoTime;
    private final Instant start;
    private final long startNanos;

    /** A clock that starts now: {@code new SteadyClock(InstantSource.system(), System::nanoTime)}. */
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

    /** {@return the time of the wall clock, which jumps when it is set} */
    public Instant wall() {
        return wall.instant();
    }
}
