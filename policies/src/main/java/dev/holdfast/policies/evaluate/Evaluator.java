package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import java.util.Optional;

/**
 * The verdict on a rule. The question is the scheduler's: if this pod had to be placed now, with everything else as it
 * is, would this rule accept the node it is on? Only the pod's own rule is asked.
 */
public final class Evaluator {
    private Evaluator() {}

    /**
     * {@return the verdict on a rule for a pod where it runs; undetermined when it runs nowhere or is on its way out
     * (X-0)}
     */
    public static Verdict judge(Rule rule, Pod pod, ClusterView view) {
        if (pod.nodeName().isEmpty()) {
            return new Verdict.Undetermined(Reason.NOT_BOUND, "the pod waits for a node");
        }
        if (pod.finished()) {
            return new Verdict.Undetermined(
                    Reason.FINISHED, "the pod's phase is " + pod.life().phase());
        }
        if (pod.terminating()) {
            return new Verdict.Undetermined(Reason.TERMINATING, "the pod is being deleted");
        }
        Optional<Node> node = view.node(pod.nodeName().get());
        if (node.isEmpty()) {
            return new Verdict.Undetermined(
                    Reason.NODE_MISSING, "no node " + pod.nodeName().get());
        }
        return prepare(rule, pod, view).on(node.get());
    }

    /** {@return the question whether the rule, held by the pod, accepts a node} */
    public static NodeFilter prepare(Rule rule, Pod pod, ClusterView view) {
        return switch (rule.mergedFor(pod.labels())) {
            case Rule.NodeAffinity node -> NodeAffinityEvaluator.prepare(node);
            case Rule.PodAffinity affinity -> PodAffinityEvaluator.prepare(affinity, pod, view);
            case Rule.PodAntiAffinity anti -> PodAntiAffinityEvaluator.prepare(anti, pod, view);
            case Rule.TopologySpread spread -> TopologySpreadEvaluator.prepare(spread, pod, view);
        };
    }
}
