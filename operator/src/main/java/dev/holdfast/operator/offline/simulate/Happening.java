package dev.holdfast.operator.offline.simulate;

import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.Notification;
import java.time.Instant;

/** Something that the operator would report in a simulation. */
public sealed interface Happening {
    /** {@return the instant of the happening} */
    Instant at();

    /** A violation began, was held, led to an eviction or ended. */
    record Notified(Instant at, Notification notification) implements Happening {}

    /** A breaker or a backlog began or ended. */
    record Braked(Instant at, BrakeReport report) implements Happening {}
}
