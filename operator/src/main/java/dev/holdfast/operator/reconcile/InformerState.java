package dev.holdfast.operator.reconcile;

/** Whether the watches of all policy kinds deliver. */
enum InformerState {
    /** Everything is listed and followed. */
    FOLLOWING,
    /** Something is not listed yet, or its watch is down. */
    BEHIND
}
