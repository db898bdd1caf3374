package dev.holdfast.operator.ledger;

import java.time.Instant;
import java.util.List;

/**
 * The heartbeat of all parts of the clocks, in a ConfigMap of its own. It is small, so it is written often.
 *
 * @param at an instant at which all clocks of the named parts still ran
 * @param writes for each part the write that it is about; 0 if it is about none
 */
record StoredHeartbeat(int format, int readableFrom, String uid, long term, Instant at, List<Long> writes)
        implements Stored {
    StoredHeartbeat {
        writes = List.copyOf(writes);
    }
}
