package dev.holdfast.operator.ledger;

import dev.holdfast.policies.engine.ledger.Ledger;
import java.time.Instant;
import java.util.Comparator;

/**
 * A ledger as one ConfigMap stores it.
 *
 * @param format the format of the text
 * @param readableFrom the oldest format whose readers understand this text
 * @param uid the UID of the ConfigMap, so that a copy in another cluster is not read
 * @param term increases with each leader, and orders the ledgers of different leaders
 * @param write increases with each write of a leader
 * @param written when it was written
 */
record StoredLedger(int format, int readableFrom, String uid, long term, long write, Instant written, Ledger ledger) {
    /** The format of this version of the operator. */
    static final int FORMAT = 1;

    /** Orders ledgers by age, the oldest first. */
    static final Comparator<StoredLedger> BY_AGE =
            Comparator.comparingLong(StoredLedger::term).thenComparingLong(StoredLedger::write);
}
