package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides about due violations, one after the other in victim order: each is held by the first check that has something
 * against it, or chosen. What is chosen counts as in flight for those after it, so of two pods that exclude each other
 * only the first is chosen, and no two rely on the same last seat. A place that only comes free when another victim has gone
 * is none before that.
 */
public final class Planner {
    /** Without any change in the cluster, a place may still come free in ways not seen here. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private static final List<Check> CHECKS = List.of(
            new VictimCheck(),
            new WishCheck(),
            new AllowCheck(),
            new TrustCheck(),
            new ConsentCheck(),
            new BreakerCheck(),
            new BacklogCheck(),
            new NotStartedCheck(),
            new DisruptedCheck(),
            new LeavingNodeCheck(),
            new DomainAddedCheck(),
            new QuietCheck(),
            new UnsettledCheck(),
            new ClusterUnhealthyCheck(),
            new FutileCheck(),
            new StandInCheck(),
            new LimitCheck(),
            new PolicyLimitCheck(),
            new ResumptionCheck());

    private Planner() {}

    /**
     * {@return the plan; every candidate is in it once}
     *
     * @param situation its moves are not changed
     * @param places remembered from plan to plan
     */
    public static Plan plan(List<Candidate> candidates, Situation situation, Places places) {
        List<Candidate> inOrder = Candidate.inOrder(candidates, Healing.of(candidates, situation.partners()));
        Map<ViolationKey, Hold> heldAnyway = new HashMap<>();
        inOrder.forEach(candidate -> firstHold(candidate, situation)
                .ifPresent(hold -> heldAnyway.put(candidate.violation().key(), hold)));
        places.begin(
                inOrder.stream()
                        .filter(it -> !heldAnyway.containsKey(it.violation().key()))
                        .toList(),
                situation.now());
        PlanDraft draft = new PlanDraft(situation, places);
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
     * @param places as the plan that chose it has left them
     */
    public static Plan.Decision revalidate(
            Candidate candidate, Optional<String> target, Situation situation, Places places) {
        Optional<Hold> hold = firstHold(candidate, situation);
        if (hold.isPresent()) {
            return new Plan.Held(candidate, hold.get());
        }
        boolean keepsPlace = target.filter(node -> Feasibility.takes(node, candidate, situation))
                .isPresent();
        // All that must follow the pod have to find a place still.
        if (keepsPlace && !NewDomains.rebalances(candidate, situation) && candidate.isLast()) {
            return new Plan.Chosen(candidate, target);
        }
        Feasibility.Search search = Seats.search(candidate, situation);
        return decided(candidate, search.target(), search.against(), situation, places);
    }

    /**
     * {@return why the pod is held as soon as a rule of it is due, whatever the rule and the moment; empty where that
     * is not known before}
     *
     * @param protectedNamespaces pods in them are never victims
     * @param allowed the reasons to hold that the policy lifts
     */
    public static Optional<Hold> heldFromTheStart(Pod pod, Set<String> protectedNamespaces, Set<Reason> allowed) {
        return VictimCheck.protecting(pod, protectedNamespaces).or(() -> AllowCheck.losing(pod, allowed));
    }

    /** {@return whether a candidate's spread is broken only by domains that are newer than its pod} */
    public static boolean isByNewDomain(Candidate candidate, Situation situation) {
        return new DomainAddedCheck().against(candidate, situation).isPresent();
    }

    /**
     * {@return why none of its policies would have the candidate moved now, as the first one says it; empty where one
     * would}
     */
    static Optional<Hold> firstHold(Candidate candidate, Situation situation) {
        Optional<Hold> first = holdOfOne(candidate.askedBy(candidate.asker()), situation);
        boolean another = first.isPresent()
                && candidate.askers().stream()
                        .skip(1)
                        .anyMatch(asker ->
                                holdOfOne(candidate.askedBy(asker), situation).isEmpty());
        return another ? Optional.empty() : first;
    }

    /** {@return the candidate, asked for by the first of its policies that would have it moved now} */
    static Candidate permitted(Candidate candidate, Situation situation) {
        return consenting(candidate, situation).findFirst().orElseThrow();
    }

    /** {@return the candidate, asked for by the one that goes furthest of its policies that would have it moved now} */
    static Candidate insisted(Candidate candidate, Situation situation) {
        return consenting(candidate, situation)
                .reduce((one, other) -> other.whenInfeasible().goesFurtherThan(one.whenInfeasible()) ? other : one)
                .orElseThrow();
    }

    private static Stream<Candidate> consenting(Candidate candidate, Situation situation) {
        return candidate.askers().stream()
                .map(candidate::askedBy)
                .filter(asked -> holdOfOne(asked, situation).isEmpty());
    }

    /** {@return what is against the candidate where only the policy counts that speaks for it} */
    private static Optional<Hold> holdOfOne(Candidate candidate, Situation situation) {
        for (Check check : CHECKS) {
            Optional<Hold> hold = check.against(candidate, situation).filter(it -> situation.counts(it.reason()));
            if (hold.isPresent()) {
                return hold.map(candidate::named);
            }
        }
        return Optional.empty();
    }

    static Plan.Decision decided(
            Candidate candidate,
            Optional<String> target,
            Optional<Obstacle> against,
            Situation situation,
            Places places) {
        return against.filter(obstacle -> situation.counts(obstacle.reason()))
                .flatMap(obstacle -> held(candidate, obstacle, situation.now(), places))
                .map(candidate::named)
                .<Plan.Decision>map(hold -> new Plan.Held(candidate, hold))
                .orElseGet(() -> new Plan.Chosen(candidate, target));
    }

    /** {@return why a candidate without a place is held; empty where its policy has it evicted all the same by now} */
    private static Optional<Hold> held(Candidate candidate, Obstacle obstacle, Instant now, Places places) {
        Nowhere.Stretch nowhere = places.nowhere(candidate).orElseGet(() -> new Nowhere.Stretch(now, now));
        Optional<Instant> allTheSame = candidate
                .whenInfeasible()
                .evictAfter()
                .filter(_ -> obstacle.mayBeOverridden() && candidate.standIn().isEmpty())
                .map(nowhere.since()::plus);
        return allTheSame.filter(at -> !nowhere.last().isBefore(at)).isPresent()
                ? Optional.empty()
                : Optional.of(noPlace(obstacle, allTheSame, now));
    }

    private static Hold noPlace(Obstacle obstacle, Optional<Instant> allTheSame, Instant now) {
        Instant again = now.plus(LOOK_AGAIN);
        return Hold.until(
                obstacle.reason(),
                obstacle.message()
                        + allTheSame
                                .map(at -> "; it is evicted all the same if that is so until " + Hold.second(at))
                                .orElse(""),
                allTheSame.filter(again::isAfter).orElse(again));
    }
}
