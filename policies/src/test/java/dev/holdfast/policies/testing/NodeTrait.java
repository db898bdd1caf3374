package dev.holdfast.policies.testing;

/** A trait of a node in a test, in addition to its name. */
@FunctionalInterface
public interface NodeTrait {
    /** Applies the trait to a draft. */
    void of(NodeDraft node);
}
