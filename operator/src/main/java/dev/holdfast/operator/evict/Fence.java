package dev.holdfast.operator.evict;

import java.time.Duration;

/** Says whether this replica may still act, at the very moment before it does. */
@FunctionalInterface
public interface Fence {
    /** {@return whether a request that is sent now and gets this long to be answered may be sent} */
    boolean allows(Duration requestTimeout);
}
