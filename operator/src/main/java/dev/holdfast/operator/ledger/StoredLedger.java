package dev.holdfast.operator.ledger;

import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import java.time.Instant;
import java.util.Comparator;

/**
 * A ledger as one ConfigMap stores it.
 *
 * @param write increases with each write of a leader
 * @param written when the ledger was written
 */
record StoredLedger(int format, int readableFrom, String uid, long term, long write, Instant written, Ledger ledger)
        implements Stored {
    /**
     * Orders ledgers by age, the oldest first. Two may have one number: a write whose answer was lost is repeated with
     * the number that it had.
     */
    static final Comparator<StoredLedger> BY_AGE = Comparator.comparingLong(StoredLedger::term)
            .thenComparingLong(StoredLedger::write)
            .thenComparing(StoredLedger::written);
}
