package dev.holdfast.operator.lead;

/** The result of one request for the Lease. */
sealed interface LeaseAnswer {
    /** The request succeeded. The answer has the content of the Lease after the request. */
    record Current(LeaseRecord lease) implements LeaseAnswer {}

    /** The Lease does not exist. */
    record Missing() implements LeaseAnswer {}

    /** Another client changed the Lease since it was read. */
    record Changed() implements LeaseAnswer {}

    /** The API server refuses the request until a user does what the message says. */
    record Refused(String message) implements LeaseAnswer {}

    /** The API server did not answer or failed: the request may have been carried out. */
    record NoAnswer(String message) implements LeaseAnswer {}
}
