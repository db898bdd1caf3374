package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.plan.capacity.PendingMoves;

/** Tells which violations remain once moves in flight have ended, whichever rules these moves are made for. */
@FunctionalInterface
public interface ViolationsAfterMoves {
    /**
     * {@return whether the candidate's rule is still violated after the moves}
     *
     * @param pendingMoves the moves; none of them moves the rule owner
     */
    boolean remains(Candidate candidate, PendingMoves pendingMoves);
}
