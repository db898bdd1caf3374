package dev.holdfast.policies.model;

/** The restart policy of a pod. Pods with a policy other than {@code ALWAYS} run to completion. */
public enum RestartPolicy {
    ALWAYS,
    ON_FAILURE,
    NEVER
}
