package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.evaluate.Reason;
import java.util.List;
import java.util.Optional;

/**
 * The report that a breaker opened or closed.
 *
 * @param reason the reason of the holds that the breaker causes
 * @param id the id of this opening, with which users acknowledge it; printable
 * @param key the key of the node label; absent for the other breakers
 * @param message for users: what the breaker found, and what to do
 */
public record BreakerReport(Reason reason, String id, Optional<String> key, Change change, String message)
        implements BrakeReport {
    /** The hold reasons of all breakers. */
    public static final List<Reason> BREAKERS =
            List.of(Reason.LABEL_BREAKER, Reason.VOLUME_BREAKER, Reason.OUTCOME_BREAKER);
}
