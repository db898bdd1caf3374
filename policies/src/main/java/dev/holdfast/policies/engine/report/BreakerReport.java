package dev.holdfast.policies.engine.report;

import dev.holdfast.policies.evaluate.Reason;
import java.util.List;
import java.util.Optional;

/**
 * A breaker that opened or closed.
 *
 * @param reason for which it holds, or held, what is due: which breaker it is
 * @param id of this opening; printable
 * @param key of the node label it is about; absent for the breaker of everything
 * @param message what it saw, and what to do
 */
public record BreakerReport(Reason reason, String id, Optional<String> key, Turn turn, String message)
        implements BrakeReport {
    /** For what breakers hold, each of them another one. */
    public static final List<Reason> BREAKERS = List.of(Reason.LABEL_BREAKER, Reason.VOLUME_BREAKER);
}
