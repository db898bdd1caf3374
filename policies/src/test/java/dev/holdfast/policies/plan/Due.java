package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.index.query.ImpactOnOthers;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.view.HidingView;
import dev.holdfast.policies.plan.capacity.ClusterFacts;
import dev.holdfast.policies.plan.capacity.FormerNodes;
import dev.holdfast.policies.plan.capacity.VolumeTopology;
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
import dev.holdfast.policies.plan.input.BrakeGate;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.ClusterSignals;
import dev.holdfast.policies.plan.input.RecentDisturbances;
import dev.holdfast.policies.plan.input.RuleQueries;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.input.VictimStrategy;
import dev.holdfast.policies.plan.move.EnforcedRules;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.Scope;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Creates candidates for due violations of pods, and the situation in which a plan decides about them. */
public final class Due {
    public static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    public static final PolicyId POLICY = PolicyId.namespaced("shop", "web");

    public static final Duration SETTLE_TIME = Duration.ofSeconds(60);

    private Due() {}

    /** {@return the candidate for the first violated rule in the pod's spec; there must be one} */
    public static Candidate candidate(ReferenceCluster referenceCluster, String pod) {
        Pod owner = referenceCluster.pod(pod).orElseThrow();
        Rule rule = PodRules.of(owner.scheduling()).stream()
                .filter(it -> Evaluator.judge(it, owner, referenceCluster) instanceof Verdict.Violated)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(owner.name() + " violates no rule"));
        return candidate(referenceCluster, owner, rule, Mode.ENFORCE, WhenInfeasible.WAIT);
    }

    public static Candidate candidate(
            ReferenceCluster referenceCluster, Pod owner, Rule rule, Mode mode, WhenInfeasible whenInfeasible) {
        if (!(Evaluator.judge(rule, owner, referenceCluster)
                instanceof Verdict.Violated(ViolationDetail violationDetail))) {
            throw new IllegalArgumentException("the rule of " + owner.name() + " is not violated");
        }
        String node = owner.nodeName().orElseThrow();
        Violation violation = new Violation(
                new ViolationKey(owner.uid(), node, rule.identity()), NOW.minus(SETTLE_TIME), new Cause.FoundAtStart());
        return new Candidate(
                violation,
                owner,
                rule,
                List.of(),
                List.of(new RequestingPolicy(
                        POLICY,
                        DisruptionControls.plain(),
                        whenInfeasible,
                        WhenDomainAdded.HOLD,
                        SETTLE_TIME,
                        Instant.EPOCH,
                        Instant.EPOCH)),
                mode,
                Workload.of(owner, referenceCluster),
                scope(rule, owner, violationDetail),
                VictimStrategy.ofOwner());
    }

    /** {@return a policy that waits until some node would take the pod, and moves no pods to new domains} */
    public static RequestingPolicy requesting(PolicyId policy, DisruptionControls disruptionControls) {
        return new RequestingPolicy(
                policy,
                disruptionControls,
                WhenInfeasible.WAIT,
                WhenDomainAdded.HOLD,
                SETTLE_TIME,
                Instant.EPOCH,
                Instant.EPOCH);
    }

    /** {@return the same candidate, requested by this policy alone} */
    public static Candidate requestedBy(Candidate candidate, RequestingPolicy requestingPolicy) {
        return new Candidate(
                candidate.violation(),
                candidate.pod(),
                candidate.rule(),
                candidate.further(),
                List.of(requestingPolicy),
                candidate.mode(),
                candidate.workload(),
                candidate.scope(),
                candidate.strategy());
    }

    /** {@return the same candidate with another settle time} */
    public static Candidate settling(Candidate candidate, Duration settleTime) {
        return new Candidate(
                candidate.violation(),
                candidate.pod(),
                candidate.rule(),
                candidate.further(),
                candidate.requestingPolicies().stream()
                        .map(it -> it.withSettleTime(settleTime))
                        .toList(),
                candidate.mode(),
                candidate.workload(),
                candidate.scope(),
                candidate.strategy());
    }

    /** {@return the same candidate with {@code whenDomainAdded: Rebalance}} */
    public static Candidate rebalancing(Candidate candidate) {
        return new Candidate(
                candidate.violation(),
                candidate.pod(),
                candidate.rule(),
                candidate.further(),
                candidate.requestingPolicies().stream()
                        .map(it -> new RequestingPolicy(
                                it.policy(),
                                it.disruptionControls(),
                                it.whenInfeasible(),
                                WhenDomainAdded.REBALANCE,
                                it.settleTime(),
                                it.countedFrom(),
                                it.dueSince()))
                        .toList(),
                candidate.mode(),
                candidate.workload(),
                candidate.scope(),
                candidate.strategy());
    }

    private static Scope scope(Rule rule, Pod owner, ViolationDetail violationDetail) {
        return switch (rule) {
            case Rule.NodeAffinity _ -> new Scope.Alone();
            case Rule.PodAffinity affinity -> Scope.SameRule.of(affinity, rule.identity(), owner);
            case Rule.TopologySpread spread -> Scope.SameRule.of(spread, rule.identity(), owner);
            case Rule.PodAntiAffinity _ ->
                new Scope.Conflicting(Stream.concat(Stream.of(owner), violationDetail.partners().stream())
                        .map(Pod::uid)
                        .collect(Collectors.toSet()));
        };
    }

    public static Situation situation(ReferenceCluster referenceCluster, Moves moves) {
        return situation(referenceCluster, moves, (_, _, _) -> Optional.empty());
    }

    public static Situation situation(
            ReferenceCluster referenceCluster, Moves moves, RecentDisturbances recentDisturbances) {
        return new Situation(
                ClusterFacts.of(referenceCluster, new VolumeTopology(), new FormerNodes()),
                RuleQueries.judged(referenceCluster, withoutDaemons(referenceCluster), ImpactOnOthers.NONE),
                new ClusterSignals(
                        recentDisturbances,
                        new DomainHistory(referenceCluster),
                        new NodeHealth(referenceCluster, new VanishedNodes(), NOW),
                        BrakeGate.NONE),
                new PlanLimits(
                        OperatorLimits.defaults(),
                        ProtectedPods.in(Set.of("kube-system")),
                        WallClock.trusted(Duration.ZERO),
                        new WindowCache(WallClock.trusted(Duration.ZERO), NOW)),
                moves,
                NOW);
    }

    /** {@return the same situation with other operator limits} */
    public static Situation limited(Situation situation, OperatorLimits operatorLimits) {
        PlanLimits planLimits = situation.planLimits();
        return new Situation(
                situation.cluster(),
                situation.rules(),
                situation.clusterSignals(),
                new PlanLimits(
                        operatorLimits, planLimits.protectedPods(), planLimits.wallClock(), planLimits.windowCache()),
                situation.moves(),
                situation.now());
    }

    static ClusterView withoutDaemons(ClusterView cluster) {
        return new HidingView(cluster, pod -> pod.namespace().equals("kube-system"));
    }

    /** {@return a move of the candidate, which has come as far as this stage says} */
    public static Move moving(Candidate candidate, String id, Move.Stage stage) {
        return new Move(
                id,
                candidate.violation().key(),
                candidate.requestingPolicy().policy(),
                candidate.pod(),
                Optional.of(candidate.rule()),
                candidate.nodeKeys(),
                candidate.workload(),
                candidate.scope(),
                Optional.empty(),
                EnforcedRules.onlyBroken(candidate.violation().key().rule()),
                1,
                stage);
    }

    /**
     * {@return no moves in flight, after this number of successful ones in the namespace: the slow start allows two
     * more than that}
     */
    public static Moves afterSuccesses(int number, String namespace) {
        Moves moves = new Moves();
        for (int i = 0; i < number; i++) {
            moves.slowStart().succeeded(namespace, NOW);
        }
        return moves;
    }
}
