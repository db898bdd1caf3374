package dev.holdfast.policies.engine.ledger;

import dev.holdfast.policies.plan.move.Moves;
import java.util.List;

/**
 * What the next process of the operator must know, so that a restart lifts no brake and no limit.
 *
 * @param limits the evictions that limits count, futile moves and the slow start
 * @param moves the moves in flight
 * @param missing the moves that ended without a Ready replacement
 */
public record Ledger(
        Moves.Remembered limits,
        List<RememberedMove> moves,
        List<RememberedMove.Missing> missing,
        RememberedBrakes brakes) {
    public Ledger {
        moves = List.copyOf(moves);
        missing = List.copyOf(missing);
    }

    /** {@return the ledger of an operator that has moved no pod yet} */
    public static Ledger empty() {
        return new Ledger(Moves.Remembered.nothing(), List.of(), List.of(), RememberedBrakes.none());
    }
}
