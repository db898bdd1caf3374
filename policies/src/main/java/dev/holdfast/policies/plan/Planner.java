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
 * Decides about due violations, one after the other in victim order: each is held by the first check that has something
 * against it, or chosen. What is chosen counts as in flight for those after it, so of two pods that exclude each other
 * only the first is chosen, and no two rely on the same last seat. A place that only comes free when another victim has gone
 * is none before that.
 */
public final class Planner {
    private Planner() {}

    /**
     * {@return the plan; every candidate is in it once}
     *
     * @param situation its moves are not changed
     * @param placementCache remembered from plan to plan
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
     * {@return whether a candidate that was chosen before is still a victim, and where it would land now}
     *
     * @param target where it would have landed; as long as it still would, it keeps that place
     * @param situation its own move left out
     * @param placementCache as the plan that chose it has left them
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
        // All that must follow the pod have to find a place still.
        if (keepsPlace && !NewDomains.rebalances(candidate, situation) && candidate.isLast()) {
            return new Plan.Chosen(candidate, target);
        }
        Feasibility.Search search = PlacementSearch.search(candidate, situation);
        return new PlanDraft(situation, placementCache, checks).decided(candidate, search.target(), search.against());
    }
}
