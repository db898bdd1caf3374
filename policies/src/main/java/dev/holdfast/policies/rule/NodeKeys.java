package dev.holdfast.policies.rule;

import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Scheduling;
import java.util.Set;
import java.util.TreeSet;

/** Collects the keys of the node labels that the verdict on a rule depends on. */
public final class NodeKeys {
    private NodeKeys() {}

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
