package dev.holdfast.operator.ledger;

/** What to do if the ConfigMaps of the ledger do not exist. */
public enum WhenMissing {
    /** Evict nothing: the chart makes the ConfigMaps, so a user has deleted them. */
    HOLD,
    /** Make the ConfigMaps. If the API server refuses that, go on without a ledger. */
    MAKE
}
