package dev.holdfast.policies.model;

import java.util.Locale;

/** The phase of a pod, as in {@code status.phase}. */
public enum Phase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    UNKNOWN;

    /** {@return the phase as Kubernetes writes it: {@code Succeeded}} */
    public String label() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }

    /** {@return whether the pod has finished and no longer counts for any rule (W-1)} */
    public boolean terminal() {
        return this == SUCCEEDED || this == FAILED;
    }
}
