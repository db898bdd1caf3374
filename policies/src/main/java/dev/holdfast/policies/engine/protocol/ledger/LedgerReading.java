package dev.holdfast.policies.engine.protocol.ledger;

import java.time.Instant;
import java.util.List;

/** The result of reading the ledger. */
public sealed interface LedgerReading {
    /**
     * The ledger as an earlier process left it; {@link Ledger#empty()} if none ever wrote one.
     *
     * @param written when the ledger was written; the distant past if no ledger ever was
     * @param clocks the parts of the clocks that can be read
     */
    record Found(Ledger ledger, Instant written, List<ClockShard> clocks) implements LedgerReading {
        public Found {
            clocks = List.copyOf(clocks);
        }

        /** Creates a reading without clocks. */
        public Found(Ledger ledger, Instant written) {
            this(ledger, written, List.of());
        }
    }

    /**
     * An earlier process wrote a ledger, and it cannot be read any more.
     *
     * @param why the reason as text: {@code ConfigMap holdfast/holdfast-ledger-0: its checksum is wrong}
     */
    record Unreadable(String why) implements LedgerReading {}

    /**
     * The ledger is not known yet, because the API server did not answer or refused. The reading is tried again.
     *
     * @param why the reason as text
     */
    record Failed(String why) implements LedgerReading {}

    /**
     * There is no place for a ledger, so this process acts without one. Happens only outside of a cluster.
     *
     * @param why the reason as text
     */
    record NoMemory(String why) implements LedgerReading {}
}
