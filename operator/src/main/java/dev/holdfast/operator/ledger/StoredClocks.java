package dev.holdfast.operator.ledger;

import dev.holdfast.policies.engine.ledger.RememberedClock;
import java.time.Instant;
import java.util.List;

/**
 * A part of the clocks as one ConfigMap stores it.
 *
 * @param write increases with each write of a leader
 * @param at when these clocks ran, each for as long as it says
 */
record StoredClocks(
        int format, int readableFrom, String uid, long term, long write, Instant at, List<RememberedClock> clocks)
        implements Stored {
    StoredClocks {
        clocks = List.copyOf(clocks);
    }
}
