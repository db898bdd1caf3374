package dev.holdfast.policies.soft;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.view.AddingView;
import dev.holdfast.policies.model.view.HidingView;
import dev.holdfast.policies.score.SpreadDefaults;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the moves of pods gain for their soft rules, in a cluster where some pods have moved already. Each of them
 * counts on the first node of its prediction.
 */
public final class MovedPods implements JointMoves.State<Pod> {
    private final Terms terms;
    private final ClusterView before;
    private final List<Pod> arrived;
    private final ClusterView view;

    /** What decides where a pod lands, and what a landing is worth. */
    public interface Terms {
        /** {@return where the scheduler may place the replacement of a pod in this cluster} */
        Prediction landing(Pod pod, ClusterView view);

        /** {@return a check that rejects the nodes on which the replacement of a pod would begin a violation} */
        NodeRejection violations(Pod pod, ClusterView view);

        /** {@return the least gain for a rule that is worth a move: pods of skew, or the sum of weights of terms} */
        long minImprovement(SoftRule rule);

        /** {@return the spread constraints of pods that have none of their own} */
        SpreadDefaults spreadDefaults();
    }

    private MovedPods(Terms terms, ClusterView before, List<Pod> arrived) {
        this.terms = terms;
        this.before = before;
        this.arrived = List.copyOf(arrived);
        Set<String> moved = new HashSet<>();
        arrived.forEach(it -> moved.add(it.uid()));
        this.view = arrived.isEmpty()
                ? before
                : new AddingView(new HidingView(before, it -> moved.contains(it.uid())), arrived);
    }

    /** {@return a cluster in which no pod has moved} */
    public static MovedPods none(ClusterView view, Terms terms) {
        return new MovedPods(terms, view, List.of());
    }

    /** {@return the sum of what the move gains for those unmet rules of the pod that it improves for certain} */
    @Override
    public long gain(Pod pod) {
        return SoftRules.of(pod, view, terms.spreadDefaults())
                .map(rules -> gain(rules.unmetGroups(), rules, pod))
                .orElse(0L);
    }

    @Override
    public long gainAtMost(Pod pod) {
        return SoftRules.of(pod, view, terms.spreadDefaults())
                .map(rules -> rules.unmetGroups().stream()
                        .mapToLong(rules::gainAtMost)
                        .sum())
                .orElse(0L);
    }

    private long gain(List<SoftRule> unmet, SoftRules rules, Pod pod) {
        if (unmet.isEmpty()) {
            return 0;
        }
        Prediction prediction = terms.landing(pod, view);
        NodeRejection violations = terms.violations(pod, view);
        long gain = 0;
        for (SoftRule rule : unmet) {
            gain += switch (rules.improvement(rule, prediction, terms.minImprovement(rule), violations)) {
                case Improvement.Certain(long points, List<String> _) -> points;
                case Improvement.Uncertain _ -> 0;
            };
        }
        return gain;
    }

    @Override
    public MovedPods after(Pod pod) {
        return switch (terms.landing(pod, view)) {
            case Prediction.Possible(List<String> nodes, var _) ->
                new MovedPods(
                        terms,
                        before,
                        Stream.concat(arrived.stream(), Stream.of(on(nodes.getFirst(), pod)))
                                .toList());
            case Prediction.Nowhere _, Prediction.Refused _, Prediction.Unread _ -> this;
        };
    }

    private static Pod on(String node, Pod pod) {
        return pod.withSharedParts(
                pod, pod.labels(), Optional.of(node), pod.scheduling(), pod.podRequirements(), pod.victimProtection());
    }
}
