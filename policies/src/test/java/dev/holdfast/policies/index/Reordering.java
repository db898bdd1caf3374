package dev.holdfast.policies.index;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Rewrites a rule in another order: the rule identity stays the same, but the rule objects are not equal. */
final class Reordering {
    private final Random random;

    Reordering(Random random) {
        this.random = random;
    }

    Rule of(Rule rule) {
        return switch (rule) {
            case Rule.NodeAffinity node ->
                new Rule.NodeAffinity(node.nodeSelector(), node.required().map(this::nodes));
            case Rule.PodAffinity(List<PodAffinityTerm> terms) ->
                new Rule.PodAffinity(shuffled(terms.stream().map(this::term).toList()));
            case Rule.PodAntiAffinity(PodAffinityTerm term) -> new Rule.PodAntiAffinity(term(term));
            case Rule.TopologySpread(TopologySpreadConstraint constraint, List<String> keys) ->
                new Rule.TopologySpread(
                        new TopologySpreadConstraint(
                                constraint.maxSkew(),
                                constraint.topologyKey(),
                                constraint.labelSelector().map(this::selector),
                                constraint.minDomains(),
                                constraint.nodeAffinityPolicy(),
                                constraint.nodeTaintsPolicy(),
                                shuffled(constraint.matchLabelKeys())),
                        keys);
        };
    }

    private NodeSelector nodes(NodeSelector selector) {
        return new NodeSelector(shuffled(selector.terms().stream()
                .map(term ->
                        new NodeSelectorTerm(requirements(term.matchExpressions()), requirements(term.matchFields())))
                .toList()));
    }

    private PodAffinityTerm term(PodAffinityTerm term) {
        return new PodAffinityTerm(
                term.labelSelector().map(this::selector),
                shuffled(term.namespaces()),
                term.namespaceSelector().map(this::selector),
                term.topologyKey(),
                shuffled(term.matchLabelKeys()),
                shuffled(term.mismatchLabelKeys()));
    }

    private LabelSelector selector(LabelSelector selector) {
        return new LabelSelector(selector.matchLabels(), requirements(selector.matchExpressions()));
    }

    private List<Requirement> requirements(List<Requirement> requirements) {
        return shuffled(requirements.stream()
                .map(it -> new Requirement(it.key(), it.operator(), shuffled(it.values())))
                .toList());
    }

    private <T> List<T> shuffled(List<T> elements) {
        List<T> others = new ArrayList<>(elements);
        Collections.shuffle(others, random);
        return others;
    }
}
