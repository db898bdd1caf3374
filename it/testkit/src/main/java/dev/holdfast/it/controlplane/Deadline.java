package dev.holdfast.it.controlplane;

import java.time.Duration;

/** A deadline measured by the monotonic clock. */
final class Deadline {

    private final long nanos;

    private Deadline(long nanos) {
        this.nanos = nanos;
    }

    static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    boolean passed() {
        return System.nanoTime() - nanos >= 0;
    }
}
