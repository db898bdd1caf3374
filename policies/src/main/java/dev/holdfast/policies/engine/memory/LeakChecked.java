package dev.holdfast.policies.engine.memory;

import dev.holdfast.policies.forgive.ViolationKey;

/**
 * A component that stores entries about violations, pods or nodes. When the cluster is empty, its size must be 0;
 * otherwise it leaks memory.
 */
@FunctionalInterface
public interface LeakChecked {
    /** {@return the number of entries that must be removed with their pods, nodes and violations} */
    int size();

    /**
     * Drops the entries of a violation that has ended. By default, does nothing: the component has no entries per
     * violation.
     */
    default void forget(ViolationKey key) {}
}
