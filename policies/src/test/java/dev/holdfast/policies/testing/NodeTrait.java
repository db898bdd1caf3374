package dev.holdfast.policies.testing;

/** What one test says of a node beyond its name. */
@FunctionalInterface
public interface NodeTrait {
    /** Makes it so. */
    void of(NodeDraft node);
}
