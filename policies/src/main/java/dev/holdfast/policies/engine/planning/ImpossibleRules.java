package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A test for violations that no move can heal now: the rule is required only where possible, and no node satisfies it
 * together with the rules of the pod's own spec. Resource requests and volumes do not count. The results for similar
 * pods are cached, so a test is valid only until the next event.
 *
 * <p>The pods of one controller count as alike, though a StatefulSet gives each of its pods labels of its own. The
 * number of different pods that are checked is limited, or the engine would stand still for seconds. Violations of
 * further pods count as possible.
 */
final class ImpossibleRules implements Predicate<ViolationKey> {
    /** The maximum number of checks of nodes alone; each check reads all nodes. */
    private static final int MOST_OF_NODES = 100;

    /** The maximum number of checks of pods; each check reads all nodes and the pods of a namespace. */
    private static final int MOST_OF_PODS = 20;

    private final LiveCluster cluster;
    private final RequestedRules requested;
    private final Map<OfNodes, Boolean> ofNodes = new HashMap<>();
    private final Map<OfPods, Boolean> ofPods = new HashMap<>();

    /** The key of a cached result: what decides whether a node's labels and taints satisfy a rule for a pod. */
    private record OfNodes(Scheduling scheduling, Rule rule) {}

    /**
     * The key of a cached result: all that decides whether a node satisfies a rule for a pod.
     *
     * @param alike the labels of a pod without a controller
     */
    private record OfPods(
            String namespace, Optional<Controller> controller, Labels alike, Scheduling scheduling, Rule rule) {}

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
        Optional<Controller> controller = pod.victimProtection().controller();
        Labels alike = controller.isPresent() ? Labels.none() : pod.labels().own();
        return answer(
                        ofNodes,
                        new OfNodes(pod.scheduling(), rule),
                        MOST_OF_NODES,
                        () -> hasNone(Placement.ofNode(pod, List.of(rule))))
                || answer(
                        ofPods,
                        new OfPods(pod.namespace(), controller, alike, pod.scheduling(), rule),
                        MOST_OF_PODS,
                        () -> hasNoNode(rule, pod));
    }

    private static <Q> boolean answer(Map<Q, Boolean> known, Q question, int most, BooleanSupplier answer) {
        Boolean before = known.get(question);
        if (before != null) {
            return before;
        }
        boolean now = known.size() < most && answer.getAsBoolean();
        if (known.size() < most) {
            known.put(question, now);
        }
        return now;
    }

    private boolean hasNoNode(Rule rule, Pod pod) {
        return hasNone(Placement.ofNode(pod, List.of(rule))
                .or(Placement.ofPods(
                        pod,
                        List.of(rule),
                        cluster.index().view(),
                        cluster.index().existingAntiAffinityView())));
    }

    private boolean hasNone(NodeRejection rejection) {
        return cluster.nodes().stream().noneMatch(node -> rejection.to(node).isEmpty());
    }
}
