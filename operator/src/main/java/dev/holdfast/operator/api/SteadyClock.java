package dev.holdfast.operator.api;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The operator's time: the wall clock at the start plus what has passed since, so that it never goes back and no step
 * of the wall clock makes anything early.
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

    /** {@return now, never earlier than any answer before} */
    @Override
    public Instant instant() {
        return start.plusNanos(nanoTime.getAsLong() - startNanos);
    }

    /** {@return now by the wall clock, which may be set at any time} */
    public Instant wall() {
        return wall.instant();
    }
}
