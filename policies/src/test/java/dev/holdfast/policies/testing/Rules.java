package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Rule;
import java.util.List;
import java.util.Optional;

/** Builders for rules of the four kinds, as in a pod's spec or a policy. */
public final class Rules {
    private Rules() {}

    /** {@return required node affinity with these terms, without a nodeSelector} */
    public static Rule nodeRule(NodeSelectorTerm... terms) {
        return new Rule.NodeAffinity(Labels.none(), Optional.of(Demands.oneOf(terms)));
    }

    /** {@return a nodeSelector given as alternating keys and values, without node affinity} */
    public static Rule nodeSelectorRule(String... keysAndValues) {
        return new Rule.NodeAffinity(Labels.of(keysAndValues), Optional.empty());
    }

    /** {@return required pod affinity with these terms; a partner must match all of them} */
    public static Rule affinityRule(PodAffinityTerm... terms) {
        return new Rule.PodAffinity(List.of(terms));
    }

    /** {@return one term of required pod anti-affinity} */
    public static Rule antiAffinityRule(PodAffinityTerm term) {
        return new Rule.PodAntiAffinity(term);
    }

    /** {@return a hard spread constraint; {@code otherKeys} are those of the other constraints in the same pod spec} */
    public static Rule spreadRule(TopologySpreadConstraint constraint, String... otherKeys) {
        return new Rule.TopologySpread(constraint, List.of(otherKeys));
    }
}
