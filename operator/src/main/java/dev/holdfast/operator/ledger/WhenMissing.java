package dev.holdfast.operator.ledger;

/** What to do if the ConfigMaps of the ledger do not exist. */
public enum WhenMissing {
    /** Evict nothing: the chart makes them, so a user has deleted them. */
    HOLD,
    /** Make them. If the API server refuses that, go on without memory. */
    MAKE
}
