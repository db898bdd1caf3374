package dev.holdfast.operator.ledger;

/** What one ConfigMap of the ledger stores. */
sealed interface Stored permits StoredLedger, StoredClocks, StoredHeartbeat {
    /** The format of this version of the operator. */
    int FORMAT = 1;

    /** {@return the format of the text} */
    int format();

    /** {@return the oldest format whose readers understand this text} */
    int readableFrom();

    /** {@return the UID of the ConfigMap, so that a copy in another cluster is not read} */
    String uid();

    /** {@return the term of the leader that wrote it; it increases with each leader} */
    long term();
}
