package dev.holdfast.policies.engine.memory;

import java.time.Duration;
import java.time.Instant;

/** The effect of a gap in observation on one forgiveness. */
@FunctionalInterface
public interface Postponement {
    /** {@return the new instant from which the forgiveness counts, given the one from which it counted} */
    Instant of(Duration forgiveness, Instant from);
}
