package dev.holdfast.policies.testing;

/** What one test says of a pod beyond its name. */
@FunctionalInterface
public interface PodTrait {
    /** Makes it so. */
    void of(PodDraft pod);
}
