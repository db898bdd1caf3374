package dev.holdfast.policies.plan.feasibility;

import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Moves;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds a node for each of several pods of which either all or none may move. The first pod may move only if each later
 * pod has a node too. When the search looks for the node of a pod, the earlier pods count as already moving to their
 * nodes.
 */
final class AllOrNothingPlacement {
    /**
     * The maximum number of pods to find nodes for, including the first. If more pods must move, the first may move
     * without a known node for those beyond this number.
     */
    private static final int MOST = 50;

    private final Situation situation;
    private final Moves moves;

    /** @param before the input of the plan; the search changes only a copy of its moves */
    AllOrNothingPlacement(Situation before) {
        this.moves = before.moves().copy();
        this.situation = before.with(moves);
    }

    /**
     * {@return the node for the first pod, if there is also a node for each of the following pods; else a result
     * without a node}
     *
     * @param candidate the first pod
     * @param first the result for the first pod alone
     * @param following gives the pods that must move after the first
     * @param without makes the reason and message of a result without a node; its argument is how far the search came
     */
    Feasibility.Search after(
            Candidate candidate,
            Feasibility.Search first,
            Following following,
            Function<Missing, Infeasibility> without) {
        Feasibility.Search last = first;
        Optional<Candidate> one = Optional.of(candidate);
        int tried = first.tried();
        int seated = 0;
        while (one.isPresent() && seated < MOST) {
            if (last.target().isEmpty()) {
                Missing missing = new Missing(seated, last.against().orElseThrow());
                return new Feasibility.Search(Optional.empty(), tried, Optional.of(without.apply(missing)));
            }
            moves.put(one.get().plannedMove(last.target(), situation.now()));
            seated++;
            one = following.next(situation);
            if (one.isPresent()) {
                last = Feasibility.fit(one.get(), situation);
                tried += last.tried();
            }
        }
        return new Feasibility.Search(first.target(), tried, Optional.empty());
    }

    /** Gives the pods that must move after the first pod, one at a time. */
    @FunctionalInterface
    interface Following {
        /**
         * {@return the next pod that must move; empty if there is no further one}
         *
         * @param situation the input of the plan, in which the moves of the earlier pods are in flight
         */
        Optional<Candidate> next(Situation situation);
    }

    /**
     * The result of a failed search: the first pods have a node, and the next one has none.
     *
     * @param placed the number of pods that have a node
     * @param next why no node would take the next pod
     */
    record Missing(int placed, Infeasibility next) {}
}
