package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.BreakerScope;
import java.util.List;

/**
 * The report that a breaker opened or closed.
 *
 * @param reason the reason of the holds that the breaker causes
 * @param id the id of this opening, with which users acknowledge it; printable
 * @param scope what the breaker holds while it is open
 * @param message for users: what the breaker found, and what to do
 */
public record BreakerReport(Reason reason, String id, BreakerScope scope, Change change, String message)
        implements BrakeReport {
    /** The hold reasons of all breakers. */
    public static final List<Reason> BREAKERS =
            List.of(Reason.LABEL_BREAKER, Reason.VOLUME_BREAKER, Reason.OUTCOME_BREAKER);
}
