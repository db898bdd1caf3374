package dev.holdfast.operator.lead;

/** What came of one request about the Lease. */
sealed interface LeaseAnswer {
    /** It now stands like this. */
    record Stands(LeaseRecord lease) implements LeaseAnswer {}

    /** There is no such Lease. */
    record Missing() implements LeaseAnswer {}

    /** Somebody else changed it since it was read. */
    record Changed() implements LeaseAnswer {}

    /** It cannot be had until somebody does what the message says. */
    record Refused(String message) implements LeaseAnswer {}

    /** Nothing is known: the request may have been carried out. */
    record NoAnswer(String message) implements LeaseAnswer {}
}
