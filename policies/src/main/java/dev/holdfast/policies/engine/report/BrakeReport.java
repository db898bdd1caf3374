package dev.holdfast.policies.engine.report;

/** News of what keeps a policy, or the operator, from moving any pod: no single violation is meant. */
public sealed interface BrakeReport permits BreakerReport, BacklogReport, UnknownAcknowledgement {
    /** {@return what it is, and what to do, in words} */
    String message();

    /** What happened to a brake. */
    enum Turn {
        OPENED,
        /** It closed by itself, since what it saw is over. */
        HEALED,
        /** It was closed by somebody who says that what it saw is meant. */
        ACKNOWLEDGED
    }
}
