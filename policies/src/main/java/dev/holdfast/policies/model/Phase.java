package dev.holdfast.policies.model;

/** The phase of a pod. */
public enum Phase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    UNKNOWN;

    /** {@return whether the pod has finished and counts for nothing any more (W-1)} */
    public boolean terminal() {
        return this == SUCCEEDED || this == FAILED;
    }
}
