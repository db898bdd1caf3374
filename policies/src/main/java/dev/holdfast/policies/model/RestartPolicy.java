package dev.holdfast.policies.model;

/** What happens to a pod's containers when they end. Pods of anything but {@code ALWAYS} run to completion. */
public enum RestartPolicy {
    ALWAYS,
    ON_FAILURE,
    NEVER
}
