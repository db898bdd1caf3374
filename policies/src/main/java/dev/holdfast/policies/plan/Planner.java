package dev.holdfast.policies.plan;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.feasibility.Feasibility;
import dev.holdfast.policies.plan.feasibility.PlacementCache;
import dev.holdfast.policies.plan.feasibility.PlacementSearch;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.NewDomains;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.MoveHistory;
import dev.holdfast.policies.rule.Mode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The planner: decides about due violations, one at a time. The first check that fails holds a candidate. Candidates
 * that pass all checks are served in turn by namespace and policy, and for each policy in victim order ({@link
 * Candidate#inOrder}, {@link FairOrder}). Among pods of one namespace, the one whose move heals the next violation and
 * most others is chosen first ({@link BestFirst}).
 *
 * <p>A chosen move counts as in flight when the next candidates are decided. So of two pods that must be apart but
 * share a node, only the first is chosen. And two moves never count on the same free capacity. Capacity that a victim
 * still occupies counts as free only once the victim is gone.
 */
public final class Planner {
    private Planner() {}

    /**
     * Makes a plan, and stores the results of its feasibility checks in the cache.
     *
     * @param candidates in any order; each is in exactly one list of the plan
     * @param situation not modified
     * @param placementCache the same object for each plan
     */
    public static Plan plan(
            List<Candidate> candidates, Situation situation, PlacementCache placementCache, Checks checks) {
        List<Candidate> inOrder = inOrder(candidates, situation);
        Map<ViolationKey, Hold> heldAnyway = new HashMap<>();
        inOrder.forEach(candidate -> checks.firstHold(candidate, situation)
                .ifPresent(hold -> heldAnyway.put(candidate.violation().key(), hold)));
        List<List<Candidate>> served = inClasses(
                        inOrder.stream()
                                .filter(it ->
                                        !heldAnyway.containsKey(it.violation().key()))
                                .map(open -> checks.placeable(open, situation))
                                .toList(),
                        situation.moves().history())
                .stream()
                .map(equals -> FairOrder.of(
                        equals,
                        candidate -> checks.permitted(candidate, situation)
                                .requestingPolicy()
                                .policy(),
                        situation))
                .toList();
        placementCache.begin(served.stream().flatMap(List::stream).toList(), situation.now());
        PlanDraft draft = new PlanDraft(
                situation.expecting(UnavoidableMoves.among(inOrder, heldAnyway, situation, placementCache)),
                placementCache,
                checks);
        inOrder.forEach(candidate -> Optional.ofNullable(
                        heldAnyway.get(candidate.violation().key()))
                .ifPresent(hold -> draft.hold(candidate, hold)));
        served.forEach(equals -> BestFirst.decide(equals, draft));
        draft.lookAgain();
        return draft.plan();
    }

    /**
     * {@return the candidates in victim order, those of mode Enforce first} Healed audited rules do not count in the
     * order of enforced candidates, because not every plan considers audited candidates.
     */
    private static List<Candidate> inOrder(List<Candidate> candidates, Situation situation) {
        return Stream.of(Mode.ENFORCE, Mode.AUDIT)
                .map(mode -> candidates.stream()
                        .filter(candidate -> candidate.mode() == mode)
                        .toList())
                .flatMap(equals ->
                        Candidate.inOrder(
                                equals,
                                HealedByMove.of(equals, situation.rules().partners()))
                                .stream())
                .toList();
    }

    /**
     * {@return the candidates of mode Enforce and then those of mode Audit. Of each mode, those of workloads with
     * futile moves come after the others, if the rule was given up for all pods} A changed node allows one try for such
     * a rule, which a workload without futile moves shall get.
     */
    private static List<List<Candidate>> inClasses(List<Candidate> inOrder, MoveHistory history) {
        return Stream.of(Mode.ENFORCE, Mode.AUDIT)
                .flatMap(mode -> inOrder.stream()
                        .filter(candidate -> candidate.mode() == mode)
                        .collect(Collectors.partitioningBy(
                                candidate -> history.futileRules().mayBeAny()
                                        && history.failedForGivenUpRule(
                                                candidate.pod(),
                                                candidate.violation().key().rule())))
                        .values()
                        .stream())
                .toList();
    }

    /**
     * {@return the decision about a candidate that an earlier plan chose, made again on the present state}
     *
     * @param target the node that the earlier plan found; kept if it would still take the pod
     * @param situation the present state, in which the candidate's own move does not count as in flight
     * @param placementCache knows since when no node would take the pod
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
        Candidate open = checks.placeable(candidate, situation);
        boolean keepsPlace =
                target.filter(node -> Feasibility.takes(node, open, situation)).isPresent();
        // If other pods must move after this one, the code below has to find a node for each of them again.
        if (keepsPlace && !NewDomains.rebalances(open, situation) && open.isLast()) {
            return new Plan.Chosen(open, target);
        }
        Feasibility.Search search = PlacementSearch.search(open, situation);
        return new PlanDraft(situation, placementCache, checks).decided(open, search.target(), search.against());
    }
}
