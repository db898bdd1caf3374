package dev.holdfast.policies.index;

import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.rule.Rule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The node labels that a rule speaks of. */
final class RuleKeys {
    private RuleKeys() {}

    /** {@return the keys in natural order} */
    static Set<String> of(Rule rule) {
        if (!(rule instanceof Rule.NodeAffinity node)) {
            return topologyKeys(rule);
        }
        Set<String> keys = new TreeSet<>(node.nodeSelector().toMap().keySet());
        node.required()
                .ifPresent(selector -> selector.terms().stream()
                        .flatMap(term -> term.matchExpressions().stream())
                        .map(Requirement::key)
                        .forEach(keys::add));
        return keys;
    }

    /** {@return the keys that make domains, in natural order; none for a node rule} */
    static Set<String> topologyKeys(Rule rule) {
        return switch (rule) {
            case Rule.NodeAffinity _ -> Set.of();
            case Rule.PodAffinity(List<PodAffinityTerm> terms) ->
                new TreeSet<>(terms.stream().map(PodAffinityTerm::topologyKey).toList());
            case Rule.PodAntiAffinity(PodAffinityTerm term) -> Set.of(term.topologyKey());
            case Rule.TopologySpread(var _, List<String> keys) -> new TreeSet<>(keys);
        };
    }
}
