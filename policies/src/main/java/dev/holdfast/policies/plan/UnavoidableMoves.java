package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.feasibility.Feasibility;
import dev.holdfast.policies.plan.feasibility.PlacementCache;
import dev.holdfast.policies.plan.feasibility.PlacementSearch;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.OwnerVictim;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Rule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the moves that will be made anyway: those of pods that violate a rule about nodes. Only the move of the pod
 * itself heals such a violation. A violation that these moves would heal, too, is left to them.
 *
 * <p>Example: zones a and b have 3 and 1 pods, with maxSkew 1, and another pod of the same spread must leave its node
 * in zone c. If that pod moves to zone b, no pod of zone a has to move.
 */
final class UnavoidableMoves {
    /** The maximum number of unavoidable moves that are found in a plan. */
    private static final int MOST = 8;

    /** The maximum number of searches for a node in a plan, in addition to those whose results are cached. */
    private static final int MOST_SEARCHES = 4;

    /** Holds that may end as soon as moves in flight end. */
    private static final Set<Reason> AWAITING_TURN = EnumSet.of(
            Reason.CLUSTER_LIMIT, Reason.SLOW_START, Reason.NAMESPACE_LIMIT, Reason.NODE_LIMIT, Reason.WORKLOAD_LIMIT);

    private UnavoidableMoves() {}

    /**
     * {@return the planned moves; each counts on the earlier ones}
     *
     * @param inOrder the candidates in victim order
     * @param held the holds of the candidates that this plan holds in any case
     */
    static List<Move> among(
            List<Candidate> inOrder, Map<ViolationKey, Hold> held, Situation before, PlacementCache placementCache) {
        List<Move> found = new ArrayList<>();
        if (inOrder.stream().allMatch(UnavoidableMoves::isOfNode)) {
            return found;
        }
        // Where rules are enforced, a pod whose rule is only audited stays: nothing may wait for its move.
        Mode strongest = inOrder.getFirst().mode();
        Moves moves = before.moves().copy();
        Situation situation = before.with(moves);
        int searches = 0;
        for (Candidate candidate : inOrder) {
            Hold hold = held.get(candidate.violation().key());
            if (found.size() == MOST || searches == MOST_SEARCHES || candidate.mode() != strongest) {
                break;
            }
            if (!isOfNode(candidate)
                    || isFound(candidate, found)
                    || (hold != null && !awaitsTurn(candidate, hold, before.moves()))) {
                continue;
            }
            Optional<PlacementCache.Result> known = placementCache.last(candidate);
            searches += known.isEmpty() ? 1 : 0;
            Optional<String> target = known.isPresent()
                    ? known.get().target().filter(node -> Feasibility.takes(node, candidate, situation))
                    : PlacementSearch.search(candidate, situation).target();
            if (target.isPresent()) {
                Move move = candidate.plannedMove(target, situation.now());
                moves.put(move);
                found.add(move);
            }
        }
        return found;
    }

    /** {@return whether the pod will be moved for another of its rules} */
    private static boolean isFound(Candidate candidate, List<Move> found) {
        return found.stream()
                .anyMatch(move -> move.victim().uid().equals(candidate.pod().uid()));
    }

    /**
     * {@return whether the candidate may move as soon as a move in flight ends} A limit that allows no move at all, or
     * none until a later hour, holds the candidate for longer.
     */
    private static boolean awaitsTurn(Candidate candidate, Hold hold, Moves moves) {
        boolean hasTurn = hold.reason() != Reason.WORKLOAD_LIMIT
                || moves.inFlight().stream().anyMatch(move -> move.workload().equals(candidate.workload()));
        return AWAITING_TURN.contains(hold.reason()) && hold.nextLook().isEmpty() && hasTurn;
    }

    private static boolean isOfNode(Candidate candidate) {
        return candidate.rule() instanceof Rule.OfNode && candidate.strategy() instanceof OwnerVictim;
    }
}
