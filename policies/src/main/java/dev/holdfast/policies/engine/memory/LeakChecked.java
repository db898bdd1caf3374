package dev.holdfast.policies.engine.memory;

import dev.holdfast.policies.forgive.ViolationKey;

/** A part of the engine's memory. Its size must return to zero when the cluster is empty, or it leaks. */
@FunctionalInterface
public interface LeakChecked {
    /** {@return the number of entries that must be removed with their pods, nodes and violations} */
    int size();

    /** Drops the entries of a violation that has ended. A part without entries per violation keeps this default. */
    default void forget(ViolationKey key) {}
}
