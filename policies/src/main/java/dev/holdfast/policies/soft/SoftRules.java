package dev.holdfast.policies.soft;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.score.ScorePlugin;
import dev.holdfast.policies.score.SpreadDefaults;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The soft rules of a pod on its node, with all other pods where they are.
 *
 * <p>Example: six pods prefer to be spread over the zones a and b with maxSkew 1, and stand [6,0]. The rule of each is
 * unmet: 5 others + 1 - 0 = 6 > 1. If the scheduler can only choose nodes of b, the skew of a replacement there is 0
 * others + 1 - 0 = 1, so a move gains 5 pods of skew.
 */
public final class SoftRules {
    private final Node node;
    private final List<SoftMeasure> measures;
    private final ClusterView view;

    private SoftRules(Node node, List<SoftMeasure> measures, ClusterView view) {
        this.node = node;
        this.measures = measures;
        this.view = view;
    }

    /**
     * {@return the soft rules of a pod; empty if its required rules have no verdict either, because it is not bound,
     * finished, terminating, or on an unknown node}
     *
     * @param defaults the constraints of pods that have none of their own
     */
    public static Optional<SoftRules> of(Pod pod, ClusterView view, SpreadDefaults defaults) {
        return view.countedNode(pod)
                .filter(_ -> !pod.terminating())
                .map(node -> new SoftRules(
                        node,
                        SoftRule.of(pod, defaults).stream()
                                .filter(rule -> !isIgnored(rule, pod, node, defaults))
                                .map(rule -> SoftMeasure.of(rule, pod, view))
                                .toList(),
                        view));
    }

    /** {@return whether the scheduler gives a default constraint to the pod, and ignores it on the node (SC-PTS-10)} */
    private static boolean isIgnored(SoftRule rule, Pod pod, Node node, SpreadDefaults defaults) {
        return rule.rule() instanceof Rule.TopologySpread(var constraint, var _)
                && defaults.everyNode()
                && defaults.haveEffectOn(pod)
                && node.labels().get(constraint.topologyKey()).isEmpty();
    }

    /** {@return the soft rules that are unmet} A rule whose selector cannot be parsed is neither met nor unmet. */
    public List<UnmetRule> unmet() {
        return measures.stream().flatMap(this::unmet).toList();
    }

    /** {@return one of the unmet rules of each group that is measured together: the terms of a kind are a group} */
    List<SoftRule> unmetGroups() {
        List<SoftRule> groups = new ArrayList<>();
        unmet().stream()
                .map(UnmetRule::rule)
                .filter(rule -> groups.stream().noneMatch(it -> countWith(it, rule)))
                .forEach(groups::add);
        return groups;
    }

    private Stream<UnmetRule> unmet(SoftMeasure measure) {
        return measure.on(node) instanceof Verdict.Violated(ViolationDetail detail)
                ? Stream.of(new UnmetRule(measure.rule(), detail))
                : Stream.empty();
    }

    /**
     * {@return whether a move of the pod would improve an unmet rule for certain}
     *
     * <p>The terms of a kind count together: only the sum of the weights of those that are met must grow.
     *
     * @param prediction where the scheduler may place the replacement
     * @param minImprovement the least gain that is worth a move: pods of skew, or the sum of the weights of terms
     * @param violations rejects the nodes on which the replacement would begin a violation, and says of what
     */
    public Improvement improvement(
            SoftRule rule, Prediction prediction, long minImprovement, NodeRejection violations) {
        return switch (prediction) {
            case Prediction.Nowhere _ -> uncertain(Improvement.Obstacle.NO_NODE, "no node would take the pod");
            case Prediction.Refused(ScorePlugin _, String term, String why) ->
                uncertain(
                        Improvement.Obstacle.PREFERRED_TERM_INVALID,
                        "the scheduler cannot read the preferred term " + term + ": " + why
                                + "; a replacement would stay Pending");
            case Prediction.Unread(String why) -> uncertain(Improvement.Obstacle.TOO_COMPLEX, why);
            case Prediction.Possible(List<String> nodes, Optional<Integer> _) ->
                onAll(rule, nodes, minImprovement, violations);
        };
    }

    private Improvement onAll(SoftRule rule, List<String> nodes, long minImprovement, NodeRejection violations) {
        List<SoftMeasure> counted =
                measures.stream().filter(it -> countWith(rule, it.rule())).toList();
        List<SoftMeasure> others =
                measures.stream().filter(it -> !counted.contains(it)).toList();
        long least = Long.MAX_VALUE;
        for (String name : nodes) {
            Node other = view.node(name).orElseThrow();
            long gain = value(counted, other) - value(counted, node);
            if (gain < minImprovement) {
                return uncertain(
                        Improvement.Obstacle.TOO_LITTLE_GAIN,
                        "the scheduler may choose " + named(other) + ", where the gain is " + gain
                                + " and must be at least " + minImprovement);
            }
            Optional<Improvement> worse = worse(others, other);
            if (worse.isPresent()) {
                return worse.get();
            }
            Optional<String> begins = violations.to(other);
            if (begins.isPresent()) {
                return uncertain(
                        Improvement.Obstacle.STARTS_VIOLATIONS,
                        "the scheduler may choose " + named(other) + ", which would begin a violation: "
                                + begins.get());
            }
            least = Math.min(least, gain);
        }
        return new Improvement.Certain(least, nodes);
    }

    /** {@return the gain for an unmet rule that no node exceeds; found without a prediction} */
    long gainAtMost(SoftRule rule) {
        return measures.stream()
                .filter(it -> countWith(rule, it.rule()))
                .mapToLong(it -> it.bestValue() - it.value(node))
                .sum();
    }

    /** {@return whether two rules are measured together: terms of a kind are, spread constraints never} */
    private static boolean countWith(SoftRule rule, SoftRule other) {
        return rule.kind() == SoftRuleKind.SOFT_TOPOLOGY_SPREAD ? rule.equals(other) : rule.kind() == other.kind();
    }

    private Optional<Improvement> worse(List<SoftMeasure> others, Node other) {
        for (SoftMeasure measure : others) {
            List<SoftMeasure> together = others.stream()
                    .filter(it -> countWith(measure.rule(), it.rule()))
                    .toList();
            if (fulfilment(together, other) < fulfilment(together, node)) {
                return Optional.of(uncertain(
                        Improvement.Obstacle.OTHER_RULE_WORSE,
                        "the scheduler may choose " + named(other) + ", where "
                                + measure.rule().kind().label() + " ("
                                + measure.rule().describe() + ") is worse met"));
            }
        }
        return Optional.empty();
    }

    private String named(Node other) {
        return other.name().equals(node.name()) ? "its node " + other.name() + " again" : other.name();
    }

    private static long value(List<SoftMeasure> together, Node on) {
        return together.stream().mapToLong(it -> it.value(on)).sum();
    }

    private static long fulfilment(List<SoftMeasure> together, Node on) {
        return together.stream().mapToLong(it -> it.fulfilment(on)).sum();
    }

    private static Improvement uncertain(Improvement.Obstacle obstacle, String text) {
        return new Improvement.Uncertain(obstacle, text);
    }
}
