package dev.holdfast.operator.ledger;

/** Requests for the ConfigMaps of the ledger. Each call sends at most one request. */
interface LedgerApi extends AutoCloseable {
    /** Reads a ConfigMap. */
    LedgerAnswer read(String name);

    /** Creates a ConfigMap without data. */
    LedgerAnswer create(String name);

    /** Replaces the data of a ConfigMap, if it is as this client last saw it. */
    LedgerAnswer replace(String name, byte[] data);

    @Override
    void close();
}
