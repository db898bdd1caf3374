package dev.holdfast.operator.decode.scheduling;

/** How much of a pod's scheduling constraints is decoded. */
public enum SchedulingScope {
    /** What the pod requires. The pod seems to prefer nothing, and its preferences cost no memory. */
    RULES,
    /** What the pod requires and what it prefers. */
    RULES_AND_PREFERENCES
}
