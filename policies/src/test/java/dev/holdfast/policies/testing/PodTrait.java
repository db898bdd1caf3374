package dev.holdfast.policies.testing;

/** A trait of a pod in a test, in addition to its name. */
@FunctionalInterface
public interface PodTrait {
    /** Applies the trait to a draft. */
    void of(PodDraft pod);
}
