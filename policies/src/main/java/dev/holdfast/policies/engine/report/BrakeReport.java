package dev.holdfast.policies.engine.report;

/** A report about a breaker, a backlog or an unknown acknowledged id. Breakers and backlogs stop evictions. */
public sealed interface BrakeReport permits BreakerReport, BacklogReport, UnknownAcknowledgement {
    /** {@return what happened and what to do, as text} */
    String message();

    /** What happened to a breaker or backlog. */
    enum Change {
        OPENED,
        /** It was open when this replica began to lead: an earlier leader opened it, or this replica while it followed. */
        TAKEN_OVER,
        /** The breaker closed or the backlog ended by itself, because its cause is gone. */
        HEALED,
        /** A user acknowledged that the change is intended. */
        ACKNOWLEDGED
    }
}
