package dev.holdfast.operator.lead;

import java.util.Optional;

/** Client for the leader election Lease. Each call sends one request and never retries it. */
interface LeaseApi extends AutoCloseable {
    /** Reads the Lease. */
    LeaseAnswer read();

    /** Creates the Lease. */
    LeaseAnswer create(LeaseRecord lease);

    /** Replaces the Lease, unless another client has changed it since the last read, create or replace. */
    LeaseAnswer replace(LeaseRecord lease);

    /**
     * Sets what the Lease says about the last write of the ledger, from the next renewal on. The text is dropped when
     * this replica takes the Lease from another. May be called from any thread.
     */
    void note(String lastWrite);

    /**
     * {@return what the Lease says about the last write of the ledger; empty if it says nothing} May be called from any
     * thread.
     */
    Optional<String> noted();

    @Override
    void close();
}
