package dev.holdfast.operator.ledger;

import dev.holdfast.policies.engine.protocol.ledger.RememberedClock;
import java.util.List;

/**
 * A part of the clocks as one ConfigMap stores it.
 *
 * @param write increases with each write of a leader
 * @param atMillis the instant to which the times of the clocks refer, in milliseconds since 1970 by the API server's
 *     clock
 */
record StoredClocks(
        int format, int readableFrom, String uid, long term, long write, long atMillis, List<RememberedClock> clocks)
        implements Stored {
    StoredClocks {
        clocks = List.copyOf(clocks);
    }
}
