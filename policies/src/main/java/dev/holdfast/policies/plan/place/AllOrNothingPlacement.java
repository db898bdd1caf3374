package dev.holdfast.policies.plan.place;

import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;
import java.util.function.Function;

/**
 * The feasibility check for pods that move all or none. The first pod moves only if there is a node for each pod that
 * must follow. Each pod is checked with the pods before it counted in.
 */
final class AllOrNothingPlacement {
    /** The most pods to find a node for. Moving that many takes long, and each of these moves is checked again. */
    private static final int MOST = 50;

    private final Situation situation;
    private final Moves moves;

    /** @param before its moves are not changed */
    AllOrNothingPlacement(Situation before) {
        this.moves = before.moves().copy();
        this.situation = before.with(moves);
    }

    /**
     * {@return the node for the first pod; no target if there is no node for a pod that must follow}
     *
     * @param first the search result for the first pod alone
     * @param following gives the next pod, once the pods before it have a node; empty after the last
     * @param without gives the infeasibility when some pods have a node and the next has none
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
            moves.put(one.get().promised(last.target(), situation.now()));
            seated++;
            one = following.next(situation);
            if (one.isPresent()) {
                last = Feasibility.firstFit(one.get(), situation);
                tried += last.tried();
            }
        }
        return new Feasibility.Search(first.target(), tried, Optional.empty());
    }

    /** Gives the pods that must follow, one at a time. */
    @FunctionalInterface
    interface Following {
        /** {@return the next pod, with the moves of the pods before it in flight; empty after the last} */
        Optional<Candidate> next(Situation situation);
    }

    /**
     * Why not all pods have a node.
     *
     * @param placed the number of pods that have one
     * @param next why no node would take the next pod
     */
    record Missing(int placed, Infeasibility next) {}
}
