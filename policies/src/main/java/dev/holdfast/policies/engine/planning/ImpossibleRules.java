package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.memory.RequestedRules;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A test for violations that ask for nothing now: the rule is required only where possible, and no node satisfies it
 * together with the rules of the pod's own spec. Requests and volumes do not count. The results for like pods are kept,
 * so a test is valid only until the next event.
 */
final class ImpossibleRules implements Predicate<ViolationKey> {
    private final LiveCluster cluster;
    private final RequestedRules requested;
    private final Map<Question, Boolean> known = new HashMap<>();

    /** What decides whether a node satisfies a rule for a pod. */
    private record Question(String namespace, Labels labels, Scheduling scheduling, Rule rule) {}

    ImpossibleRules(LiveCluster cluster, RequestedRules requested) {
        this.cluster = cluster;
        this.requested = requested;
    }

    @Override
    public boolean test(ViolationKey key) {
        return requested
                .find(key)
                .filter(AppliedRule::isRequiredWherePossible)
                .flatMap(applied -> cluster.pod(key.podUid()).map(pod -> isImpossible(applied.rule(), pod)))
                .orElse(false);
    }

    private boolean isImpossible(Rule rule, Pod pod) {
        return known.computeIfAbsent(
                new Question(pod.namespace(), pod.labels(), pod.scheduling(), rule), _ -> hasNoNode(rule, pod));
    }

    private boolean hasNoNode(Rule rule, Pod pod) {
        NodeRejection rejection = Placement.ofNode(pod, List.of(rule))
                .or(Placement.ofPods(
                        pod,
                        List.of(rule),
                        cluster.index().view(),
                        cluster.index().existingAntiAffinityView()));
        return cluster.nodes().stream().noneMatch(node -> rejection.to(node).isEmpty());
    }
}
