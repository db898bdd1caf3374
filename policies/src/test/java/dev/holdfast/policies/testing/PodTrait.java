package dev.holdfast.policies.testing;

/** A trait of a pod in a test, in addition to its name. */
@FunctionalInterface
public interface PodTrait {
    /** Gives the pod this trait. */
    void of(PodDraft pod);
}
