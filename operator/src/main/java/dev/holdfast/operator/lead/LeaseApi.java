package dev.holdfast.operator.lead;

/** Client for the leader election Lease. Each call sends one request and never retries it. */
interface LeaseApi extends AutoCloseable {
    /** Reads the Lease. */
    LeaseAnswer read();

    /** Creates the Lease. */
    LeaseAnswer create(LeaseRecord lease);

    /** Replaces the Lease, unless another client has changed it since the last read, create or replace. */
    LeaseAnswer replace(LeaseRecord lease);

    @Override
    void close();
}
