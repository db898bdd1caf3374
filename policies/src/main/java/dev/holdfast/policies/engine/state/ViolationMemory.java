package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.forgive.ViolationKey;

/**
 * A component that stores entries about violations, pods or nodes. In an empty cluster, the component must store no
 * entry; otherwise it leaks memory.
 */
@FunctionalInterface
public interface ViolationMemory {
    /** {@return the number of stored entries about violations, pods and nodes; 0 in an empty cluster} */
    int size();

    /**
     * Drops the entries of a violation that has ended. By default, does nothing: the component has no entries per
     * violation.
     */
    default void forget(ViolationKey key) {}
}
