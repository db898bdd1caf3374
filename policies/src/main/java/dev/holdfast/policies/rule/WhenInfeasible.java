package dev.holdfast.policies.rule;

/** What to do with a due violation while no other node would take the pod. */
public enum WhenInfeasible {
    /** Hold it until a node would. */
    WAIT,
    /** Evict all the same; the replacement may stay pending. */
    EVICT
}
