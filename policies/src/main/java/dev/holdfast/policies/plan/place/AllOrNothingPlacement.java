package dev.holdfast.policies.plan.place;

import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;
import java.util.function.Function;

/**
 * Candidates that are moved all or none: the first goes when each of those that follow it has a place, one after the other,
 * those before it counted in.
 */
final class AllOrNothingPlacement {
    /** For no more than so many places are looked for: they take a long time to be moved, and it is asked again for each. */
    private static final int MOST = 50;

    private final Situation situation;
    private final Moves moves;

    /** @param before its moves are not changed */
    AllOrNothingPlacement(Situation before) {
        this.moves = before.moves().copy();
        this.situation = before.with(moves);
    }

    /**
     * {@return where the first would land; nowhere where one that must follow has no place}
     *
     * @param first what came of looking for a place for the first
     * @param following the next one, once those before it have places; empty after the last
     * @param without what to say where so many have a place and there is none for the next
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

    /** Tells who must follow. */
    @FunctionalInterface
    interface Following {
        /** {@return the next one, given that those before it are on their way} */
        Optional<Candidate> next(Situation situation);
    }

    /**
     * A place that is missing.
     *
     * @param seated how many have one
     * @param next what speaks against all places for the next
     */
    record Missing(int seated, Infeasibility next) {}
}
