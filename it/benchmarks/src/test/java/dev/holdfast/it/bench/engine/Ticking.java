package dev.holdfast.it.bench.engine;

import java.time.Instant;
import java.time.InstantSource;

/** A test clock that advances by a second with each read. */
final class Ticking implements InstantSource {
    private Instant now;

    Ticking(Instant start) {
        this.now = start;
    }

    @Override
    public Instant instant() {
        now = now.plusSeconds(1);
        return now;
    }
}
