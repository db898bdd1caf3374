package dev.holdfast.policies.rule;

import dev.holdfast.policies.model.Scheduling;

/**
 * The domains in which a spread constraint counts pods: the values of its topologyKey on the nodes that are eligible
 * for it. Constraints with equal content share their domains.
 *
 * @param topologyKey the key of the node label whose value is the domain
 * @param eligibility decides which nodes are eligible; they all have the topologyKey
 */
public record SpreadDomains(String topologyKey, NodeEligibility eligibility) {
    /** {@return the domains in which the constraint counts pods for this pod} */
    public static SpreadDomains of(Rule.TopologySpread rule, Scheduling pod) {
        return new SpreadDomains(rule.constraint().topologyKey(), NodeEligibility.ofSpread(rule, pod));
    }
}
