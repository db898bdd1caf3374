package dev.holdfast.operator.evict;

import java.time.Duration;

/** Check of the leader election Lease right before a request: whether this replica still leads. */
@FunctionalInterface
public interface LeaseFence {
    /**
     * {@return whether this replica leads now, and keeps leading for at least this timeout even without a further
     * renewal}
     */
    boolean allows(Duration requestTimeout);
}
