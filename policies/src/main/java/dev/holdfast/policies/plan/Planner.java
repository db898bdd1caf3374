package dev.holdfast.policies.plan;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.place.Feasibility;
import dev.holdfast.policies.plan.place.PlacementCache;
import dev.holdfast.policies.plan.place.PlacementSearch;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.NewDomains;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides about due violations, one at a time in victim order. The first check that objects holds a candidate;
 * otherwise it is chosen.
 *
 * <p>A chosen move counts as in flight for the candidates after it. So only the first of two mutually exclusive pods is
 * chosen, and two pods never rely on the same free capacity. Capacity that a victim still occupies does not count as
 * free until the victim is gone.
 */
public final class Planner {
    private Planner() {}

    /**
     * {@return the plan, with every candidate in exactly one of its lists}
     *
     * @param situation not modified
     * @param placementCache kept by the caller from plan to plan
     */
    public static Plan plan(
            List<Candidate> candidates, Situation situation, PlacementCache placementCache, Checks checks) {
        List<Candidate> inOrder = Candidate.inOrder(
                candidates, HealedByMove.of(candidates, situation.rules().partners()));
        Map<ViolationKey, Hold> heldAnyway = new HashMap<>();
        inOrder.forEach(candidate -> checks.firstHold(candidate, situation)
                .ifPresent(hold -> heldAnyway.put(candidate.violation().key(), hold)));
        placementCache.begin(
                inOrder.stream()
                        .filter(it -> !heldAnyway.containsKey(it.violation().key()))
                        .toList(),
                situation.now());
        PlanDraft draft = new PlanDraft(situation, placementCache, checks);
        for (Candidate candidate : inOrder) {
            Optional.ofNullable(heldAnyway.get(candidate.violation().key()))
                    .ifPresentOrElse(hold -> draft.hold(candidate, hold), () -> draft.decide(candidate));
        }
        draft.lookAgain();
        return draft.plan();
    }

    /**
     * {@return the decision about a candidate that an earlier plan has chosen, made again on the present state}
     *
     * @param target the node chosen for the replacement; kept while it would still take the pod
     * @param situation without the candidate's own move
     * @param placementCache the cache that the plan used
     */
    public static Plan.Decision revalidate(
            Candidate candidate,
            Optional<String> target,
            Situation situation,
            PlacementCache placementCache,
            Checks checks) {
        Optional<Hold> hold = checks.firstHold(candidate, situation);
        if (hold.isPresent()) {
            return new Plan.Held(candidate, hold.get());
        }
        boolean keepsPlace = target.filter(node -> Feasibility.takes(node, candidate, situation))
                .isPresent();
        // With pods that must move after it, the search below has to find a node for each of them again.
        if (keepsPlace && !NewDomains.rebalances(candidate, situation) && candidate.isLast()) {
            return new Plan.Chosen(candidate, target);
        }
        Feasibility.Search search = PlacementSearch.search(candidate, situation);
        return new PlanDraft(situation, placementCache, checks).decided(candidate, search.target(), search.against());
    }
}
