package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.evaluate.Bystanders;
import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Cluster;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.HidingView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.ClusterFacts;
import dev.holdfast.policies.plan.capacity.Volumes;
import dev.holdfast.policies.plan.conduct.Asker;
import dev.holdfast.policies.plan.conduct.Bounds;
import dev.holdfast.policies.plan.conduct.Conduct;
import dev.holdfast.policies.plan.conduct.Limits;
import dev.holdfast.policies.plan.conduct.Openings;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.Scope;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.plan.situation.Brakes;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.DomainHistory;
import dev.holdfast.policies.plan.situation.NodeHealth;
import dev.holdfast.policies.plan.situation.RuleQueries;
import dev.holdfast.policies.plan.situation.Signals;
import dev.holdfast.policies.plan.situation.Situation;
import dev.holdfast.policies.plan.situation.Unrest;
import dev.holdfast.policies.plan.situation.VanishedNodes;
import dev.holdfast.policies.plan.situation.VictimStrategy;
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

/** Due violations of the pods of a cluster, and the situation they are planned in. */
public final class Due {
    public static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    public static final PolicyId POLICY = PolicyId.namespaced("shop", "web");

    public static final Duration SETTLE_TIME = Duration.ofSeconds(60);

    private Due() {}

    /** {@return the candidate for the first rule of the pod's own spec, which must be violated} */
    public static Candidate candidate(Cluster cluster, String pod) {
        Pod owner = cluster.pod(pod).orElseThrow();
        Rule rule = PodRules.of(owner.scheduling()).getFirst();
        return candidate(cluster, owner, rule, Mode.ENFORCE, WhenInfeasible.WAIT);
    }

    public static Candidate candidate(Cluster cluster, Pod owner, Rule rule, Mode mode, WhenInfeasible whenInfeasible) {
        if (!(Evaluator.judge(rule, owner, cluster) instanceof Verdict.Violated(Breach breach))) {
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
                List.of(new Asker(POLICY, Conduct.plain(), whenInfeasible, WhenDomainAdded.HOLD)),
                mode,
                SETTLE_TIME,
                Workload.of(owner, cluster),
                scope(rule, owner, breach),
                VictimStrategy.ofOwner());
    }

    /** {@return the same candidate whose workload and places have another time to settle} */
    public static Candidate settling(Candidate candidate, Duration settleTime) {
        return new Candidate(
                candidate.violation(),
                candidate.pod(),
                candidate.rule(),
                candidate.further(),
                candidate.askers(),
                candidate.mode(),
                settleTime,
                candidate.workload(),
                candidate.scope(),
                candidate.strategy());
    }

    /** {@return the same candidate, moved for new domains too} */
    public static Candidate rebalancing(Candidate candidate) {
        return new Candidate(
                candidate.violation(),
                candidate.pod(),
                candidate.rule(),
                candidate.further(),
                candidate.askers().stream()
                        .map(it -> new Asker(it.policy(), it.conduct(), it.whenInfeasible(), WhenDomainAdded.REBALANCE))
                        .toList(),
                candidate.mode(),
                candidate.settleTime(),
                candidate.workload(),
                candidate.scope(),
                candidate.strategy());
    }

    private static Scope scope(Rule rule, Pod owner, Breach breach) {
        return switch (rule) {
            case Rule.NodeAffinity _ -> new Scope.Alone();
            case Rule.PodAffinity affinity -> Scope.Group.of(affinity, rule.identity(), owner);
            case Rule.TopologySpread spread -> Scope.Group.of(spread, rule.identity(), owner);
            case Rule.PodAntiAffinity _ ->
                new Scope.Conflicting(Stream.concat(Stream.of(owner), breach.partners().stream())
                        .map(Pod::uid)
                        .collect(Collectors.toSet()));
        };
    }

    public static Situation situation(Cluster cluster, Moves moves) {
        return situation(cluster, moves, (_, _) -> Optional.empty());
    }

    public static Situation situation(Cluster cluster, Moves moves, Unrest unrest) {
        return new Situation(
                ClusterFacts.of(cluster, new Volumes()),
                RuleQueries.judged(cluster, withoutDaemons(cluster), Bystanders.NONE),
                new Signals(
                        unrest,
                        new DomainHistory(cluster),
                        new NodeHealth(cluster, new VanishedNodes(), NOW),
                        Brakes.NONE),
                new Bounds(Limits.defaults(), Set.of("kube-system"), new Openings(NOW)),
                moves,
                NOW);
    }

    /** {@return the same situation with other limits of the operator} */
    public static Situation limited(Situation situation, Limits limits) {
        Bounds bounds = situation.bounds();
        return new Situation(
                situation.cluster(),
                situation.rules(),
                situation.signals(),
                new Bounds(limits, bounds.protectedNamespaces(), bounds.openings()),
                situation.moves(),
                situation.now());
    }

    static ClusterView withoutDaemons(ClusterView cluster) {
        return new HidingView(cluster, pod -> pod.namespace().equals("kube-system"));
    }

    /** {@return a move of the candidate that has come this far} */
    public static Move moving(Candidate candidate, String id, Move.Stage stage) {
        return new Move(
                id,
                candidate.violation().key(),
                candidate.asker().policy(),
                candidate.pod(),
                candidate.rule(),
                candidate.workload(),
                candidate.scope(),
                Optional.empty(),
                1,
                stage);
    }
}
