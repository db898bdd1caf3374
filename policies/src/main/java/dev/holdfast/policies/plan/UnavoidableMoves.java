package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.place.Feasibility;
import dev.holdfast.policies.plan.place.PlacementCache;
import dev.holdfast.policies.plan.place.PlacementSearch;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.OwnerVictim;
import dev.holdfast.policies.plan.situation.Situation;
import dev.holdfast.policies.rule.Rule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the moves that will be made anyway: those of pods that violate a rule about nodes. Only the move of the pod
 * itself heals such a violation. A violation that these moves would heal, too, is left to them.
 *
 * <p>Example: zones a and b have 3 and 1 pods, with maxSkew 1, and another pod of the same spread must leave its node
 * in zone c. If that pod moves to zone b, no pod of zone a has to move.
 */
final class UnavoidableMoves {
    /** At most this many moves are found in a plan. Each costs a search for a node. */
    private static final int MOST = 8;

    /** Holds that end as soon as moves in flight end. */
    private static final Set<Reason> AWAITING_TURN = EnumSet.of(
            Reason.CLUSTER_LIMIT, Reason.SLOW_START, Reason.NAMESPACE_LIMIT, Reason.NODE_LIMIT, Reason.WORKLOAD_LIMIT);

    private UnavoidableMoves() {}

    /**
     * {@return the planned moves; each counts on the earlier ones}
     *
     * @param inOrder the candidates in victim order
     * @param held the holds of those that this plan holds in any case
     */
    static List<Move> among(
            List<Candidate> inOrder, Map<ViolationKey, Hold> held, Situation before, PlacementCache placementCache) {
        List<Move> found = new ArrayList<>();
        if (inOrder.stream().allMatch(UnavoidableMoves::isOfNode)) {
            return found;
        }
        Moves moves = before.moves().copy();
        Situation situation = before.with(moves);
        for (Candidate candidate : inOrder) {
            Hold hold = held.get(candidate.violation().key());
            if (found.size() < MOST
                    && isOfNode(candidate)
                    && (hold == null || AWAITING_TURN.contains(hold.reason()))
                    && placementCache.infeasible(candidate).isEmpty()) {
                Feasibility.Search search = PlacementSearch.search(candidate, situation);
                if (search.target().isPresent()) {
                    Move move = candidate.plannedMove(search.target(), situation.now());
                    moves.put(move);
                    found.add(move);
                }
            }
        }
        return found;
    }

    private static boolean isOfNode(Candidate candidate) {
        return candidate.rule() instanceof Rule.OfNode && candidate.strategy() instanceof OwnerVictim;
    }
}
