package dev.holdfast.policies.engine.memory;

import java.time.Duration;
import java.time.Instant;

/**
 * Computes the instant from which a forgiveness counts. It is moved to a later time if the operator could not watch the
 * cluster for some time.
 */
@FunctionalInterface
public interface Postponement {
    /** {@return the new instant from which the forgiveness counts, given the one from which it counted} */
    Instant of(Duration forgiveness, Instant from);
}
