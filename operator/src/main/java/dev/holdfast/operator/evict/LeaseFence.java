package dev.holdfast.operator.evict;

import java.time.Duration;

/** Lease check right before a request: whether this replica may still act. */
@FunctionalInterface
public interface LeaseFence {
    /** {@return whether a request with this timeout may be sent now} */
    boolean allows(Duration requestTimeout);
}
