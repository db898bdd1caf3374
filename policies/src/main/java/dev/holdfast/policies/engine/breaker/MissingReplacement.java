package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.plan.move.Move;
import java.time.Instant;

/**
 * A move that ended without a Ready replacement.
 *
 * @param begun an instant shortly before the eviction was requested
 * @param at when the move ended
 * @param ownerWasKnown whether the victim's controller was known when the eviction was requested: if it is unknown now,
 *     it was deleted
 */
public record MissingReplacement(Move move, Instant begun, Instant at, boolean ownerWasKnown) {
    String namespace() {
        return move.victim().namespace();
    }
}
