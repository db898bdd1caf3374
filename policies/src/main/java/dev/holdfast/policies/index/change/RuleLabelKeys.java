package dev.holdfast.policies.index.change;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Rule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The keys of the labels that a rule reads, in natural order. */
final class RuleLabelKeys {
    private RuleLabelKeys() {}

    /** {@return the keys of the node labels that the rule reads, topology keys included} */
    static Set<String> of(Rule rule) {
        return rule instanceof Rule.OfNode node ? node.labelKeys() : topologyKeys(rule);
    }

    /** {@return the topology keys of the rule; empty for node affinity} */
    static Set<String> topologyKeys(Rule rule) {
        return switch (rule) {
            case Rule.OfNode _ -> Set.of();
            case Rule.PodAffinity(List<PodAffinityTerm> terms) ->
                new TreeSet<>(terms.stream().map(PodAffinityTerm::topologyKey).toList());
            case Rule.PodAntiAffinity(PodAffinityTerm term) -> Set.of(term.topologyKey());
            case Rule.TopologySpread(var _, List<String> keys) -> new TreeSet<>(keys);
        };
    }

    /**
     * {@return the keys of the pod labels that the rule reads, on partners and on the rule owner; empty for node
     * affinity}
     */
    static Set<String> podKeys(Rule rule) {
        return switch (rule) {
            case Rule.OfNode _ -> Set.of();
            case Rule.PodAffinity(List<PodAffinityTerm> terms) -> podKeys(terms.stream());
            case Rule.PodAntiAffinity(PodAffinityTerm term) -> podKeys(Stream.of(term));
            case Rule.TopologySpread(TopologySpreadConstraint constraint, var _) ->
                sorted(constraint.labelSelector().stream().flatMap(RuleLabelKeys::keys), constraint.matchLabelKeys());
        };
    }

    private static Set<String> podKeys(Stream<PodAffinityTerm> terms) {
        return terms.flatMap(term -> sorted(
                        term.labelSelector().stream().flatMap(RuleLabelKeys::keys),
                        term.matchLabelKeys(),
                        term.mismatchLabelKeys())
                        .stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@return the keys of the namespace labels that the rule reads; empty for rules without a namespaceSelector} */
    static Set<String> namespaceKeys(Rule rule) {
        return switch (rule) {
            case Rule.OfNode _, Rule.TopologySpread _ -> Set.of();
            case Rule.PodAffinity(List<PodAffinityTerm> terms) -> namespaceKeys(terms.stream());
            case Rule.PodAntiAffinity(PodAffinityTerm term) -> namespaceKeys(Stream.of(term));
        };
    }

    private static Set<String> namespaceKeys(Stream<PodAffinityTerm> terms) {
        return sorted(terms.flatMap(term -> term.namespaceSelector().stream()).flatMap(RuleLabelKeys::keys));
    }

    private static Stream<String> keys(LabelSelector selector) {
        return Stream.concat(
                selector.matchLabels().toMap().keySet().stream(),
                selector.matchExpressions().stream().map(Requirement::key));
    }

    @SafeVarargs
    private static Set<String> sorted(Stream<String> some, List<String>... more) {
        Set<String> keys = some.collect(Collectors.toCollection(TreeSet::new));
        for (List<String> others : more) {
            keys.addAll(others);
        }
        return keys;
    }
}
