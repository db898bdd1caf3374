package dev.holdfast.policies.plan.place;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Looks for a place for a candidate, and for those that must follow it. */
public final class PlacementSearch {
    private PlacementSearch() {}

    /** {@return where the candidate would land; nowhere where one that must follow has no place} */
    public static Feasibility.Search search(Candidate candidate, Situation situation) {
        Feasibility.Search first = searchAlone(candidate, situation);
        if (first.target().isEmpty()) {
            return first;
        }
        return candidate.isLast()
                ? RebalancePlacement.search(candidate, first, situation)
                : withThoseAfter(candidate, first, situation);
    }

    /** {@return the first node that would take the candidate alone; if there is none, two policies may be the reason} */
    private static Feasibility.Search searchAlone(Candidate candidate, Situation situation) {
        Optional<Infeasibility> unreadable =
                situation.cluster().volumeTopology().unreadable(candidate.pod());
        if (unreadable.isPresent()) {
            return new Feasibility.Search(Optional.empty(), 0, unreadable);
        }
        Feasibility.Search search = Feasibility.firstFit(candidate, situation);
        boolean infeasible =
                search.against().filter(it -> it.reason() == Reason.INFEASIBLE).isPresent();
        return infeasible && candidate.strategy().mayContradict()
                ? Contradiction.among(candidate, situation, search)
                : search;
    }

    /** One in the way of a rule owner goes only when the others in its way can, too: else the rule would stay broken. */
    private static Feasibility.Search withThoseAfter(
            Candidate candidate, Feasibility.Search first, Situation situation) {
        List<Candidate> following = candidate.strategy().following();
        Iterator<Candidate> rest = following.iterator();
        return new AllOrNothingPlacement(situation)
                .after(
                        candidate,
                        first,
                        _ -> rest.hasNext() ? Optional.of(rest.next()) : Optional.empty(),
                        missing -> new Infeasibility(
                                missing.next().reason(),
                                "there is a place for " + missing.seated() + " of the "
                                        + (following.size() + 1) + " pods in the way of "
                                        + candidate.owner().name() + ", and they go all or none; for the next, "
                                        + missing.next().message()));
    }
}
