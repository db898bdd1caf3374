package dev.holdfast.operator.lead;

/** The Lease at the API server. Each call is one request, sent at most once. */
interface LeaseApi extends AutoCloseable {
    /** Reads it. */
    LeaseAnswer read();

    /** Makes it. */
    LeaseAnswer create(LeaseRecord lease);

    /** Writes over what was read, created or replaced last, unless somebody else has done so since. */
    LeaseAnswer replace(LeaseRecord lease);

    @Override
    void close();
}
