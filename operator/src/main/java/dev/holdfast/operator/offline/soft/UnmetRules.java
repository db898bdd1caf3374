package dev.holdfast.operator.offline.soft;

import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.check.Workload;
import dev.holdfast.operator.offline.check.Workloads;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.index.query.ImpactOnOthers;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.score.SpreadDefaults;
import dev.holdfast.policies.soft.Prediction;
import dev.holdfast.policies.soft.SoftRuleKind;
import dev.holdfast.policies.soft.SoftRules;
import dev.holdfast.policies.soft.UnmetRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** Finds the unmet soft rules of the pods in a cluster, and computes scores for those pods alone. */
public final class UnmetRules {
    /** For this number of pods, the scores are computed, and then for the first pod of each template and breach. */
    private static final int MOST_COMPUTED = 300;

    private final CheckedCluster cluster;
    private final SpreadDefaults spreadDefaults;
    private final long minImprovement;
    private final Workloads workloads;
    private final Landings landings;
    private final Map<Alike, List<Found>> found = new HashMap<>();
    private final Map<Breach, Answer> answers = new HashMap<>();
    private int computed;

    private UnmetRules(CheckedCluster cluster, SpreadDefaults spreadDefaults, long minImprovement) {
        this.cluster = cluster;
        this.spreadDefaults = spreadDefaults;
        this.minImprovement = minImprovement;
        this.workloads = new Workloads(cluster.owners());
        this.landings = new Landings(cluster, spreadDefaults);
    }

    /** Pods with the same answer: of one controller and one template, on one node. */
    private record Alike(
            String namespace,
            Labels labels,
            Optional<Controller> controller,
            Scheduling scheduling,
            PodRequirements requirements,
            Optional<String> node) {
        Alike onAnyNode() {
            return new Alike(namespace, labels, controller, scheduling, requirements, Optional.empty());
        }

        static Alike of(Pod pod) {
            return new Alike(
                    pod.namespace(),
                    pod.labels(),
                    pod.victimProtection().controller(),
                    pod.scheduling(),
                    pod.podRequirements(),
                    pod.nodeName());
        }
    }

    /** The unmet rules of the pods of one template, without the names of their nodes. */
    private record Breach(Alike template, List<String> texts) {}

    /** What was computed for the first pod with a breach. */
    private record Answer(Pod pod, List<SoftReport.Move> moves) {
        List<SoftReport.Move> forOthers() {
            return moves.stream()
                    .map(it -> it.gain() > 0
                            ? it
                            : new SoftReport.Move(
                                    0,
                                    List.of(),
                                    it.obstacle(),
                                    "as for " + pod.name().name() + ": " + it.why()))
                    .toList();
        }
    }

    private record Found(UnmetRule unmet, SoftReport.Move move) {}

    /**
     * {@return the unmet soft rules}
     *
     * @param listed which pods are listed; their rules may depend on others
     * @param spreadDefaults the spread constraints that the scheduler gives to pods without any
     * @param minImprovement the least gain that is worth a move: pods of skew, or the sum of the weights of terms
     */
    public static SoftReport in(
            CheckedCluster cluster, Predicate<Pod> listed, SpreadDefaults spreadDefaults, long minImprovement) {
        UnmetRules rules = new UnmetRules(cluster, spreadDefaults, minImprovement);
        List<Pod> pods = cluster.runningPods().stream().filter(listed).toList();
        List<SoftReport.Unmet> unmet = new ArrayList<>();
        pods.forEach(pod -> rules.found
                .computeIfAbsent(Alike.of(pod), _ -> rules.find(pod))
                .forEach(it -> unmet.add(rules.unmet(pod, it))));
        unmet.sort(Comparator.comparing(SoftReport.Unmet::namespace)
                .thenComparing(SoftReport.Unmet::pod)
                .thenComparing(it -> it.rule().kind())
                .thenComparing(it -> it.rule().text()));
        return SoftReport.of(pods.size(), unmet);
    }

    private SoftReport.Unmet unmet(Pod pod, Found found) {
        Workload workload = workloads.of(pod);
        return new SoftReport.Unmet(
                pod.namespace(),
                pod.name().name(),
                pod.uid(),
                pod.nodeName().orElseThrow(),
                workload.kind() + "/" + workload.name(),
                new SoftReport.Preference(
                        found.unmet().rule().kind().label(),
                        found.unmet().rule().describe() + origin(pod, found)),
                found.unmet().detail().describe(),
                found.move());
    }

    private String origin(Pod pod, Found found) {
        return found.unmet().rule().kind() == SoftRuleKind.SOFT_TOPOLOGY_SPREAD && spreadDefaults.haveEffectOn(pod)
                ? " (default of the scheduler)"
                : "";
    }

    private List<Found> find(Pod pod) {
        Optional<SoftRules> rules = SoftRules.of(pod, cluster.view(), spreadDefaults);
        List<UnmetRule> unmet = rules.map(SoftRules::unmet).orElse(List.of());
        if (unmet.isEmpty()) {
            return List.of();
        }
        Breach breach = new Breach(
                Alike.of(pod).onAnyNode(),
                unmet.stream().map(it -> it.detail().ofCandidate()).toList());
        Optional<Answer> known = Optional.ofNullable(answers.get(breach)).filter(_ -> computed >= MOST_COMPUTED);
        List<SoftReport.Move> moves = known.map(Answer::forOthers).orElseGet(() -> moves(pod, rules.get(), unmet));
        answers.putIfAbsent(breach, new Answer(pod, moves));
        return IntStream.range(0, unmet.size())
                .mapToObj(it -> new Found(unmet.get(it), moves.get(it)))
                .toList();
    }

    private List<SoftReport.Move> moves(Pod pod, SoftRules rules, List<UnmetRule> unmet) {
        computed++;
        Prediction prediction = landings.of(pod).prediction();
        NodeRejection violations = violations(pod);
        return unmet.stream()
                .map(it -> SoftReport.Move.of(rules.improvement(it.rule(), prediction, minImprovement, violations)))
                .toList();
    }

    /** {@return a check that rejects the nodes on which more rules would be violated, over all pods} */
    private NodeRejection violations(Pod pod) {
        ImpactOnOthers impact = cluster.schedulerFilters().impactOnOthers();
        return NodeRejection.prepared(() -> {
            ToIntFunction<Node> more =
                    impact.additionalViolations(pod, Set.of(), Set.of(), List.of(), Optional.empty());
            return node -> Optional.of(more.applyAsInt(node))
                    .filter(number -> number > 0)
                    .map(number -> Count.of(number, "rule") + " of other pods");
        });
    }
}
