package dev.holdfast.operator.offline.check;

import dev.holdfast.operator.offline.print.RuleReference;
import dev.holdfast.operator.publish.Wording;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a report says about each violation: its numbers, its cause, and what its pod belongs to. */
public final class ViolationFacts {
    /** The label of a node with its zone. */
    public static final String ZONE = "topology.kubernetes.io/zone";

    private final Index index;
    private final Workloads workloads;
    private final PolicyEnforcement enforcement;
    private final List<String> labelKeys;
    private final Map<ExceptedPods, Set<String>> excepted = new TreeMap<>(ExceptedPods.ORDER);

    /** @param labelKeys the labels of the pod that each violation has */
    public ViolationFacts(Index index, Workloads workloads, PolicyEnforcement enforcement, List<String> labelKeys) {
        this.index = index;
        this.workloads = workloads;
        this.enforcement = enforcement;
        this.labelKeys = List.copyOf(labelKeys);
    }

    /** {@return the exceptions that name a pod with a violation so far, by policy and name} */
    List<ExceptedPods> exceptions() {
        return excepted.entrySet().stream()
                .map(entry -> entry.getKey().with(entry.getValue().size()))
                .toList();
    }

    /**
     * {@return the entry for a rule that a pod violates}
     *
     * @param injection the outcome of the rule in the pod's spec, if a policy injects it
     * @param policies the policies that ask for the rule
     */
    public CheckReport.Violation of(
            Pod pod, AppliedRule applied, Optional<InjectionOutcome> injection, List<String> policies) {
        enforcement
                .exceptions(pod, applied)
                .forEach(exception -> excepted.computeIfAbsent(exception, _ -> new HashSet<>())
                        .add(pod.uid()));
        ViolationDetail detail =
                index.violationDetail(pod.uid(), applied.identity()).orElseThrow();
        String node = pod.nodeName().orElseThrow();
        return new CheckReport.Violation(
                pod.namespace(),
                pod.name().name(),
                pod.uid(),
                node,
                RuleReference.of(applied),
                CheckReport.Violation.VERDICT,
                detail.describe(),
                Wording.healing(detail),
                isCheckedByKubelet(pod, applied),
                applied.whenRequired().label(),
                injection.map(InjectionOutcome::label).orElse(""),
                policies,
                workloads.of(pod),
                zone(node),
                cause(detail),
                enforcement.stateOf(pod, applied),
                labels(pod));
    }

    /**
     * {@return the outcome of a rule in the pod's spec; empty if no policy injects the rule}
     *
     * @param exemptNamespaces the namespaces whose pods the admission policies leave alone
     */
    public static Optional<InjectionOutcome> injection(
            Index index, Set<String> exemptNamespaces, Pod pod, AppliedRule applied) {
        if (pod.victimProtection().ofDaemonSet() || exemptNamespaces.contains(pod.namespace())) {
            return Optional.empty();
        }
        return applied.requests().stream()
                .filter(AppliedRule.Request::isInjected)
                .flatMap(request ->
                        index.injection(pod.uid(), request.policy()).of(request, applied.identity()).stream())
                .min(Comparator.naturalOrder());
    }

    private String zone(String node) {
        return index.view().node(node).flatMap(it -> it.labels().get(ZONE)).orElse("");
    }

    private SortedMap<String, String> labels(Pod pod) {
        SortedMap<String, String> labels = new TreeMap<>();
        labelKeys.forEach(key -> pod.labels().get(key).ifPresent(value -> labels.put(key, value)));
        return labels;
    }

    private static String cause(ViolationDetail detail) {
        return switch (detail) {
            case ViolationDetail.NodeMismatch mismatch -> "its node does not match " + mismatch.requirement();
            case ViolationDetail.UnmatchableRule rule -> "no node can match " + rule.requirement();
            case ViolationDetail.NoTopologyKey without -> "its node has no label " + without.topologyKey();
            case ViolationDetail.NoPartner lonely ->
                (lonely.self() == 0 ? "no pod" : "no other pod") + " in its domain matches: " + lonely.requirement();
            case ViolationDetail.Conflict conflict ->
                "it shares its " + conflict.topologyKey() + " with pods that it must be apart from";
            case ViolationDetail.Skew skew -> "the skew of its " + skew.topologyKey() + " is above " + skew.maxSkew();
        };
    }

    /** {@return whether the kubelet checks the rule when it starts: node rules of its pods, also injected ones} */
    private boolean isCheckedByKubelet(Pod pod, AppliedRule applied) {
        return applied.rule().kind() == RuleKind.NODE_AFFINITY
                && (PodRules.isOwn(pod.scheduling(), applied.rule()) || violatesInjectedNodeRules(pod));
    }

    private boolean violatesInjectedNodeRules(Pod pod) {
        Scheduling scheduling = pod.scheduling();
        return !scheduling.nodeAffinity().equals(scheduling.own().nodeAffinity())
                && Evaluator.judge(
                                new Rule.NodeAffinity(scheduling.nodeSelector(), scheduling.nodeAffinity()),
                                pod,
                                index.view())
                        instanceof Verdict.Violated;
    }
}
