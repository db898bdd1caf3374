package dev.holdfast.policies.model;

/** The phase of a pod, as in {@code status.phase}. */
public enum Phase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    UNKNOWN;

    /** {@return whether the pod has finished and no longer counts for any rule (W-1)} */
    public boolean terminal() {
        return this == SUCCEEDED || this == FAILED;
    }
}
