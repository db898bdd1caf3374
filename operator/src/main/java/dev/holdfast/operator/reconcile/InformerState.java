package dev.holdfast.operator.reconcile;

/** Whether the informers of a view are synced and watching. */
enum InformerState {
    /** All are synced and watching. */
    FOLLOWING,
    /** At least one is not synced yet, or its watch is down. */
    BEHIND
}
