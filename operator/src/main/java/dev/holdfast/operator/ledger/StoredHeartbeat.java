package dev.holdfast.operator.ledger;

import java.time.Duration;
import java.util.List;

/**
 * The heartbeat of all parts of the clocks, in a ConfigMap of its own. The heartbeat is small, so it is written often.
 *
 * @param atMillis when all clocks of the named parts still ran, in milliseconds since 1970 by the API server's clock
 * @param parts one entry for each part
 */
record StoredHeartbeat(int format, int readableFrom, String uid, long term, long atMillis, List<Beat> parts)
        implements Stored {
    /**
     * What the heartbeat says about one part.
     *
     * @param write the write that it extends; 0 for none
     * @param more how much longer the clocks of this write have run, by the clock of the process that wrote both
     */
    record Beat(long write, Duration more) {
        static final Beat NONE = new Beat(0, Duration.ZERO);
    }

    StoredHeartbeat {
        parts = List.copyOf(parts);
    }
}
