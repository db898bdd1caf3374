package dev.holdfast.policies.engine.report;

/**
 * A report about a breaker, a backlog, an unknown acknowledged id or a dynamic label. Breakers and backlogs stop
 * evictions.
 */
public sealed interface BrakeReport permits BreakerReport, BacklogReport, UnknownAcknowledgement, DynamicLabel {
    /** {@return what happened and what to do, as text} */
    String message();

    /** The change of a breaker or backlog. */
    enum Change {
        OPENED,
        /**
         * The breaker or backlog was open when this replica began to lead: an earlier leader opened it, or this replica
         * while it followed.
         */
        TAKEN_OVER,
        /** The breaker closed or the backlog ended by itself, because the cause is gone. */
        HEALED,
        /** A user acknowledged that the change is intended. */
        ACKNOWLEDGED
    }
}
