package dev.holdfast.operator.ledger;

import java.util.Optional;

/** The result of one request for a ConfigMap of the ledger. */
sealed interface LedgerAnswer {
    /**
     * The request succeeded.
     *
     * @param uid the UID of the ConfigMap
     * @param data the stored ledger; absent if none was ever written
     */
    record Current(String uid, Optional<byte[]> data) implements LedgerAnswer {}

    /** The ConfigMap does not exist. */
    record Missing() implements LedgerAnswer {}

    /** Another client changed the ConfigMap since it was read. */
    record Changed() implements LedgerAnswer {}

    /** The API server refuses the request until a user does what the message says. */
    record Refused(String message) implements LedgerAnswer {}

    /** The API server did not answer or failed: the ConfigMap may have been written. */
    record Failed(String message) implements LedgerAnswer {}
}
