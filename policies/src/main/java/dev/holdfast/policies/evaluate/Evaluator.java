package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import java.util.Optional;

/**
 * Evaluates a rule for a running pod as the scheduler would: if the scheduler placed this pod now, with everything else
 * unchanged, would the rule accept the pod's node? The rules of other pods have no effect on the verdict.
 */
public final class Evaluator {
    private Evaluator() {}

    /**
     * {@return the verdict on a rule for a pod on its present node; undetermined if the pod is unbound, finished or
     * terminating, or if its node does not exist or was not read }
     */
    public static Verdict judge(Rule rule, Pod pod, ClusterView view) {
        if (pod.nodeName().isEmpty()) {
            return new Verdict.Undetermined(Reason.NOT_BOUND, "the pod waits for a node");
        }
        if (pod.finished()) {
            return new Verdict.Undetermined(
                    Reason.FINISHED, "the pod's phase is " + pod.life().phase().label());
        }
        if (pod.terminating()) {
            return new Verdict.Undetermined(Reason.TERMINATING, "the pod is being deleted");
        }
        Optional<Node> node = view.node(pod.nodeName().get());
        Optional<Node> unread = view.unreadNode(pod.nodeName().get());
        if (unread.isPresent()) {
            return new Verdict.Undetermined(Reason.TOO_COMPLEX, UnreadNodes.why(unread.get()));
        }
        if (node.isEmpty()) {
            return new Verdict.Undetermined(
                    Reason.NODE_MISSING, "no node " + pod.nodeName().get());
        }
        return prepare(rule, pod, view).on(node.get());
    }

    /** {@return a filter that evaluates the rule for the pod on any node} */
    public static NodeFilter prepare(Rule rule, Pod pod, ClusterView view) {
        return switch (rule.mergedFor(pod.labels())) {
            case Rule.OfNode node -> prepare(node);
            case Rule.PodAffinity affinity -> PodAffinityEvaluator.prepare(affinity, pod, view);
            case Rule.PodAntiAffinity anti -> PodAntiAffinityEvaluator.prepare(anti, pod, view);
            case Rule.TopologySpread spread -> TopologySpreadEvaluator.prepare(spread, pod, view);
        };
    }

    /**
     * {@return a filter that evaluates a node rule for any pod that has the rule: the verdict depends only on the node}
     */
    public static NodeFilter prepare(Rule.OfNode rule) {
        return switch (rule) {
            case Rule.NodeAffinity node -> NodeAffinityEvaluator.prepare(node);
        };
    }
}
