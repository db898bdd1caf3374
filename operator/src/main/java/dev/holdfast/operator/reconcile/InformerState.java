package dev.holdfast.operator.reconcile;

/** Whether all informers of one view (the view of policies or of pauses) are synced and watching. */
enum InformerState {
    /** All informers are synced and watching. */
    FOLLOWING,
    /** At least one informer is not synced yet, or its watch is down. */
    BEHIND
}
