package dev.holdfast.policies.rule;

import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.Scheduling;
import java.util.Set;
import java.util.TreeSet;

/** Collects the keys of the node labels that the verdict on a rule depends on. */
public final class NodeKeys {
    /** The operators of node selectors that a node without the label satisfies. */
    private static final Set<String> SATISFIED_WITHOUT = Set.of("NotIn", "DoesNotExist");

    private NodeKeys() {}

    /**
     * {@return those of the node label keys that a rule reads whose loss can break it} A node affinity that reads a
     * label only with {@code NotIn} or {@code DoesNotExist} does not need it.
     */
    public static Set<String> neededBy(Rule rule, Scheduling scheduling) {
        Set<String> keys = of(rule, scheduling);
        if (rule instanceof Rule.NodeAffinity(var nodeSelector, var required)) {
            Set<String> needed = new TreeSet<>(nodeSelector.toMap().keySet());
            required.stream()
                    .flatMap(selector -> selector.terms().stream())
                    .flatMap(term -> term.matchExpressions().stream())
                    .filter(expression -> !SATISFIED_WITHOUT.contains(expression.operator()))
                    .map(Requirement::key)
                    .forEach(needed::add);
            keys.retainAll(needed);
        }
        return keys;
    }

    /**
     * {@return the node label keys that a rule reads, sorted: the keys of node affinity, and the topology keys}
     *
     * <p>A spread constraint with {@code nodeAffinityPolicy: Honor} also reads the keys of the rule owner's node
     * affinity.
     *
     * @param scheduling the scheduling constraints of the rule owner
     */
    public static Set<String> of(Rule rule, Scheduling scheduling) {
        Set<String> keys = new TreeSet<>();
        switch (rule) {
            case Rule.OfNode node -> keys.addAll(node.labelKeys());
            case Rule.PodAffinity(var terms) ->
                terms.stream().map(PodAffinityTerm::topologyKey).forEach(keys::add);
            case Rule.PodAntiAffinity(var term) -> keys.add(term.topologyKey());
            case Rule.TopologySpread(var constraint, var requiredKeys) -> {
                keys.addAll(requiredKeys);
                if (constraint.nodeAffinityPolicy() == NodeInclusionPolicy.HONOR) {
                    keys.addAll(
                            new Rule.NodeAffinity(scheduling.nodeSelector(), scheduling.nodeAffinity()).labelKeys());
                }
            }
        }
        return keys;
    }
}
