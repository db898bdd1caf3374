package dev.holdfast.policies.plan.feasibility;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Finds a node for a candidate, and one for each pod that must move after it. */
public final class PlacementSearch {
    private PlacementSearch() {}

    /** {@return the node for the candidate; no node if a pod that must move after it has none} */
    public static Feasibility.Search search(Candidate candidate, Situation situation) {
        Feasibility.Search first = searchAlone(candidate, situation);
        if (first.target().isEmpty()) {
            return first;
        }
        return candidate.isLast()
                ? RebalancePlacement.search(candidate, first, situation)
                : withThoseAfter(candidate, first, situation);
    }

    /**
     * {@return the node for the candidate alone; if no node would take it because policies contradict each other, the
     * reason says so}
     */
    private static Feasibility.Search searchAlone(Candidate candidate, Situation situation) {
        Optional<Infeasibility> unreadable =
                situation.cluster().volumeTopology().unreadable(candidate.replacement(situation.view()));
        if (unreadable.isPresent()) {
            return new Feasibility.Search(Optional.empty(), 0, unreadable);
        }
        Feasibility.Search search = Feasibility.fit(candidate, situation);
        boolean infeasible =
                search.against().filter(it -> it.reason() == Reason.INFEASIBLE).isPresent();
        return infeasible && candidate.strategy().mayContradict()
                ? Contradiction.among(candidate, situation, search)
                : search;
    }

    /**
     * {@return the node for the candidate, whose pod is in the way of a rule owner; no node if a further pod in the
     * owner's way has none, because then the rule would stay broken}
     */
    private static Feasibility.Search withThoseAfter(
            Candidate candidate, Feasibility.Search first, Situation situation) {
        List<Candidate> following = candidate.strategy().following().stream()
                .map(next -> next.overridingTenantsFor(candidate.overriding()))
                .toList();
        Iterator<Candidate> rest = following.iterator();
        return new AllOrNothingPlacement(situation)
                .after(
                        candidate,
                        first,
                        _ -> rest.hasNext() ? Optional.of(rest.next()) : Optional.empty(),
                        missing -> missing.next()
                                .after(
                                        missing.next().reason(),
                                        "there are nodes for only " + missing.placed() + " of the "
                                                + (following.size() + 1) + " pods in the way of "
                                                + candidate.owner().name()
                                                + ", and either all of them move or none; for the next pod, "));
    }
}
