package dev.holdfast.policies.engine.report;

/** A report about a breaker or backlog, which stops evictions of a policy or of the whole operator. */
public sealed interface BrakeReport permits BreakerReport, BacklogReport, UnknownAcknowledgement {
    /** {@return what happened and what to do, as text} */
    String message();

    /** What happened to a breaker or backlog. */
    enum Change {
        OPENED,
        /** The breaker closed or the backlog ended by itself, because its cause is gone. */
        HEALED,
        /** A user acknowledged that the change is intended. */
        ACKNOWLEDGED
    }
}
