package dev.holdfast.policies.testing;

/** A trait of a node in a test, in addition to its name. */
@FunctionalInterface
public interface NodeTrait {
    /** Gives the node this trait. */
    void of(NodeDraft node);
}
