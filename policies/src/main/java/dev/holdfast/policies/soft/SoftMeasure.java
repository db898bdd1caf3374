package dev.holdfast.policies.soft;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.evaluate.SpreadSkew;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.rule.Rule;
import java.util.Optional;

/**
 * How well a soft rule of one pod is met on a node, with all other pods where they are. Valid until the view changes.
 *
 * <p>A preferred term measures its weight where it is met, and 0 elsewhere, however many partners there are. A spread
 * constraint measures minus its skew. So a greater number is better.
 */
final class SoftMeasure {
    private final SoftRule rule;
    private final Pod pod;
    private final ClusterView view;
    private final NodeFilter filter;
    private final Optional<SpreadSkew> skew;

    private SoftMeasure(SoftRule rule, Pod pod, ClusterView view, NodeFilter filter, Optional<SpreadSkew> skew) {
        this.rule = rule;
        this.pod = pod;
        this.view = view;
        this.filter = filter;
        this.skew = skew;
    }

    static SoftMeasure of(SoftRule rule, Pod pod, ClusterView view) {
        Optional<SpreadSkew> skew =
                rule.rule() instanceof Rule.TopologySpread spread ? SpreadSkew.of(spread, pod, view) : Optional.empty();
        NodeFilter filter = skew.isPresent() ? skew.get() : Evaluator.prepare(judged(rule.rule()), pod, view);
        return new SoftMeasure(rule, pod, view, filter, skew);
    }

    /**
     * {@return the rule whose verdict decides} Required affinity holds for the first of a group of pods (AF-5), but a
     * preference is met only by a partner: just where the same term of anti-affinity would be violated.
     */
    private static Rule judged(Rule rule) {
        return switch (rule) {
            case Rule.PodAffinity affinity ->
                new Rule.PodAntiAffinity(affinity.terms().getFirst());
            case Rule.NodeAffinity _, Rule.PodAntiAffinity _, Rule.TopologySpread _ -> rule;
        };
    }

    SoftRule rule() {
        return rule;
    }

    /** {@return the verdict on the node, as of a required rule with this content} */
    Verdict on(Node node) {
        Verdict verdict = filter.on(node);
        if (rule.kind() != SoftRuleKind.PREFERRED_POD_AFFINITY) {
            return verdict;
        }
        return switch (verdict) {
            case Verdict.Violated _ -> Verdict.satisfied();
            case Verdict.Satisfied _ -> Verdict.violated(withoutPartner(node));
            case Verdict.Undetermined _ -> verdict;
        };
    }

    private ViolationDetail withoutPartner(Node node) {
        Verdict required = Evaluator.prepare(rule.rule(), pod, view).on(node);
        if (required instanceof Verdict.Violated(ViolationDetail detail)) {
            return detail;
        }
        // The pod is the first of its group.
        PodAffinityTerm term = ((Rule.PodAffinity) rule.rule()).terms().getFirst();
        return new ViolationDetail.NoPartner(
                term.topologyKey(),
                node.labels().get(term.topologyKey()).orElse(""),
                1,
                1,
                rule.rule().describe());
    }

    /** {@return how well the rule is met on the node; the greater, the better} */
    long value(Node node) {
        if (rule.kind() == SoftRuleKind.SOFT_TOPOLOGY_SPREAD) {
            // A node without a domain is worse than the fullest one: the scheduler scores it lowest (SC-PTS-2).
            return -skew.map(it -> it.skew(node).orElse(it.greatest() + 1)).orElse(0);
        }
        boolean near = rule.kind() == SoftRuleKind.PREFERRED_POD_AFFINITY;
        boolean met = switch (filter.on(node)) {
            case Verdict.Satisfied _ -> !near;
            case Verdict.Violated _ -> near;
            case Verdict.Undetermined _ -> false;
        };
        return met ? rule.weight() : 0;
    }

    /** {@return the value that no node exceeds} */
    long bestValue() {
        return switch (rule.rule()) {
            case Rule.TopologySpread _ -> -skew.map(SpreadSkew::least).orElse(0);
            case Rule.NodeAffinity _, Rule.PodAffinity _, Rule.PodAntiAffinity _ -> rule.weight();
        };
    }

    /** {@return the value without what no rule asks for: a smaller skew than maxSkew is no better} */
    long fulfilment(Node node) {
        return rule.rule() instanceof Rule.TopologySpread(var constraint, var _)
                ? Math.min(value(node), -constraint.maxSkew())
                : value(node);
    }
}
