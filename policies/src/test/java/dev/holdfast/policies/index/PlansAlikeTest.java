package dev.holdfast.policies.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.index.query.ConflictQuery;
import dev.holdfast.policies.index.query.ImpactOnOthers;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.model.view.HidingView;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.Planner;
import dev.holdfast.policies.plan.capacity.ClusterFacts;
import dev.holdfast.policies.plan.capacity.FormerNodes;
import dev.holdfast.policies.plan.capacity.VolumeTopology;
import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.controls.PlanLimits;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.plan.controls.RequestingPolicy;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.plan.controls.WindowCache;
import dev.holdfast.policies.plan.domain.DomainHistory;
import dev.holdfast.policies.plan.domain.NodeHealth;
import dev.holdfast.policies.plan.domain.VanishedNodes;
import dev.holdfast.policies.plan.feasibility.PlacementCache;
import dev.holdfast.policies.plan.input.BrakeGate;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.ClusterSignals;
import dev.holdfast.policies.plan.input.Partners;
import dev.holdfast.policies.plan.input.RuleQueries;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.input.VictimStrategy;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.Scope;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Plans made with queries of the index equal the plans made with {@code evaluate}, including every text. The input is
 * random sequences of events (histories): from time to time, all violations are planned both ways. {@code
 * -Dholdfast.plans.histories=N} sets the number of histories, {@code -Dholdfast.plans.seed=S} the first seed.
 */
class PlansAlikeTest {
    private static final int MANY_NODES = 1_000_000;
    private static final int HISTORIES = Integer.getInteger("holdfast.plans.histories", 60);
    private static final long SEED = Long.getLong("holdfast.plans.seed", 20_261_121L);
    private static final int STEPS = 200;
    private static final int BETWEEN_PLANS = 10;
    private static final int MOST_PODS = 40;
    private static final int MOST_NODES = 8;
    private static final Set<String> EXEMPT = Set.of("kube-system", "kube-node");

    /** The time of all plans: 2 minutes after the epoch. Random terminating pods began to terminate at the epoch. */
    private static final Instant SOON_AFTER = Instant.EPOCH.plus(Duration.ofMinutes(2));

    private final Map<Reason, Integer> holds = new EnumMap<>(Reason.class);
    private int chosen;

    @Test
    void whatTheIndexKnowsMakesThePlansThatEvaluateWould() {
        for (long seed = SEED; seed < SEED + HISTORIES; seed++) {
            play(seed);
        }
        System.out.printf(
                "%d histories from seed %d: %d chosen, held %s, 0 differences%n", HISTORIES, SEED, chosen, holds);
        assertThat(chosen).isPositive();
        assertThat(holds)
                .containsKeys(
                        Reason.UNTRUSTED_CAUSE,
                        Reason.DOMAIN_ADDED,
                        Reason.PARTNERS_LEAVING,
                        Reason.MOVE_IN_SCOPE,
                        Reason.INFEASIBLE);
    }

    private void play(long seed) {
        RandomHistory history = new RandomHistory(seed, MOST_PODS, MOST_NODES);
        Index index = new Index(EXEMPT, VerdictListener.NONE);
        for (int step = 0; step < STEPS; step++) {
            history.next().forEach(it -> take(it, index));
            if (step % BETWEEN_PLANS == 0) {
                compare(index, seed, step);
            }
        }
    }

    private static void take(Step step, Index index) {
        switch (step) {
            case Step.Fact(ClusterEvent event) -> index.apply(event);
            case Step.PolicyPut(Policy policy) -> index.put(policy);
            case Step.PolicyRemoved(PolicyId id) -> index.remove(id);
        }
    }

    private void compare(Index index, long seed, int step) {
        ClusterView view = index.view();
        ConflictQuery<Partners> conflictQuery = index.conflictQuery(Partners::of);
        Components components = new Components(index);
        List<Candidate> candidates = new ArrayList<>();
        index.forEachBroken((pod, rule) -> {
            assertThat(conflictQuery.around(pod.uid()))
                    .as("conflicts around %s, seed %d, step %d", pod.uid(), seed, step)
                    .isEqualTo(components.around(pod.uid()));
            candidates.add(candidate(pod, rule, conflictQuery, index));
        });
        Situation judged = new Situation(
                ClusterFacts.of(view, new VolumeTopology(), new FormerNodes()),
                RuleQueries.judged(
                        view, new HidingView(view, pod -> EXEMPT.contains(pod.namespace())), ImpactOnOthers.NONE),
                new ClusterSignals(
                        (_, _, _) -> Optional.empty(),
                        new DomainHistory(view),
                        new NodeHealth(view, new VanishedNodes(), SOON_AFTER),
                        BrakeGate.NONE),
                new PlanLimits(
                        new OperatorLimits(4, 100, 3, 2, 1),
                        ProtectedPods.in(Set.of("kube-system")),
                        WallClock.trusted(Duration.ZERO),
                        new WindowCache(WallClock.trusted(Duration.ZERO), SOON_AFTER)),
                new Moves(),
                SOON_AFTER);
        Situation known = judged.finding(
                        (candidate, _) -> conflictQuery
                                .partners(
                                        candidate.pod().uid(),
                                        candidate.violation().key().rule())
                                .orElseThrow(),
                        index.existingAntiAffinityView())
                .finding((candidate, moves) -> index.verdictAfterMoves()
                        .isBroken(
                                candidate.owner().uid(),
                                candidate.violation().key().rule(),
                                moves.leaving(),
                                moves.arriving()))
                .finding((domains, candidate, _) -> index.domainsCausing(
                        domains,
                        candidate.pod().uid(),
                        candidate.violation().key().rule()));
        Plan expected =
                Planner.plan(candidates, judged, new PlacementCache(candidates.size(), MANY_NODES), Checks.all());
        Plan actual = Planner.plan(candidates, known, new PlacementCache(candidates.size(), MANY_NODES), Checks.all());
        assertThat(actual).as("seed %d, step %d", seed, step).isEqualTo(expected);
        chosen += actual.chosen().size();
        actual.held().forEach(held -> holds.merge(held.hold().reason(), 1, Integer::sum));
    }

    /**
     * {@return a candidate for the violation of a pod; the pod gets a controller, because Holdfast moves no pod without
     * one}
     */
    private static Candidate candidate(Pod pod, AppliedRule rule, ConflictQuery<Partners> conflictQuery, Index index) {
        Pod owned = ownedByItsName(pod);
        ViolationKey key = new ViolationKey(pod.uid(), pod.nodeName().orElseThrow(), rule.identity());
        return new Candidate(
                new Violation(key, Instant.EPOCH, new Cause.FoundAtStart()),
                owned,
                rule.rule(),
                index.rulesOf(pod.uid()).stream().filter(other -> !other.own()).toList(),
                List.of(new RequestingPolicy(
                        rule.requests().getFirst().policy(),
                        DisruptionControls.plain(),
                        WhenInfeasible.WAIT,
                        WhenDomainAdded.HOLD,
                        Duration.ZERO,
                        Instant.EPOCH,
                        Instant.EPOCH)),
                Mode.AUDIT,
                Workload.of(owned, index.view()),
                rule.rule() instanceof Rule.PodAntiAffinity
                        ? new Scope.Conflicting(conflictQuery.around(pod.uid()))
                        : new Scope.Alone(),
                VictimStrategy.ofOwner());
    }

    private static Pod ownedByItsName(Pod pod) {
        String workload = pod.name().name();
        return new Pod(
                pod.uid(),
                pod.name(),
                pod.resourceVersion(),
                pod.labels(),
                pod.nodeName(),
                pod.scheduling(),
                pod.podRequirements(),
                pod.life(),
                new VictimProtection(
                        Optional.of(new Controller("ReplicaSet", workload, workload + "-uid")),
                        0,
                        RestartPolicy.ALWAYS,
                        false,
                        false,
                        false));
    }

    /**
     * The connected components of conflicting pods, computed from the partners that {@code evaluate} lists in
     * violations. A cluster-wide term connects no pods.
     */
    private static final class Components {
        private final Map<String, Set<String>> of = new HashMap<>();

        Components(Index index) {
            ClusterView view = index.view();
            ClusterView execution = new HidingView(view, pod -> EXEMPT.contains(pod.namespace()));
            index.forEachBroken((pod, rule) -> {
                if (rule.rule() instanceof Rule.PodAntiAffinity anti
                        && !anti.term().isClusterWide()
                        && Evaluator.judge(rule.rule(), pod, execution)
                                instanceof Verdict.Violated(ViolationDetail violationDetail)) {
                    join(pod.uid(), violationDetail.partners());
                }
            });
        }

        private void join(String one, List<Pod> others) {
            Set<String> joined = new TreeSet<>(around(one));
            others.forEach(other -> joined.addAll(around(other.uid())));
            joined.forEach(uid -> of.put(uid, joined));
        }

        Set<String> around(String uid) {
            return of.getOrDefault(uid, Set.of(uid));
        }
    }
}
