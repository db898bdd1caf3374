package dev.holdfast.policies.index.count;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.NodeMatcher;
import dev.holdfast.policies.selector.TolerationMatcher;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The domains of one topology key in which a spread constraint counts pods, each with its number of eligible nodes. A
 * node is eligible if the constraint counts the pods on it (TS-4, TS-5). Constraints with the same eligible nodes share
 * one instance.
 */
public final class DomainSet {
    private final Eligibility eligibility;
    private final String topologyKey;
    private final List<String> requiredKeys;
    private final Optional<NodeMatcher> nodes;
    private final Optional<TolerationMatcher> tolerations;
    private final Map<String, Integer> nodesByDomain = new HashMap<>();

    /** The spread constraints that share this set of domains. */
    final Set<LiveSpread> rules = new LinkedHashSet<>();

    DomainSet(Eligibility eligibility) {
        this.eligibility = eligibility;
        this.topologyKey = eligibility.topologyKey().intern();
        this.requiredKeys =
                eligibility.requiredKeys().stream().map(String::intern).toList();
        this.nodes = eligibility.nodes().map(rule -> NodeMatcher.of(rule.nodeSelector(), rule.affinity()));
        this.tolerations = eligibility.tolerations().map(TolerationMatcher::new);
    }

    /**
     * What decides whether a node is eligible for a spread constraint.
     *
     * @param requiredKeys the label keys that an eligible node must have (TS-4), in natural order
     * @param nodes the rule owner's nodeSelector and node affinity; absent with {@code nodeAffinityPolicy: Ignore}, or
     *     if the rule owner has neither
     * @param tolerations the rule owner's tolerations; absent with {@code nodeTaintsPolicy: Ignore}
     */
    record Eligibility(
            String topologyKey,
            List<String> requiredKeys,
            Optional<NodeRules> nodes,
            Optional<List<Toleration>> tolerations) {
        record NodeRules(Labels nodeSelector, Optional<NodeSelector> affinity) {}

        static Eligibility of(Rule.TopologySpread rule, Scheduling owner) {
            NodeRules nodes = new NodeRules(owner.nodeSelector(), owner.nodeAffinity());
            boolean demanding =
                    !owner.nodeSelector().isEmpty() || owner.nodeAffinity().isPresent();
            return new Eligibility(
                    rule.constraint().topologyKey(),
                    rule.requiredKeys(),
                    Optional.of(nodes)
                            .filter(_ ->
                                    demanding && rule.constraint().nodeAffinityPolicy() == NodeInclusionPolicy.HONOR),
                    Optional.of(owner.tolerations())
                            .filter(_ -> rule.constraint().nodeTaintsPolicy() == NodeInclusionPolicy.HONOR));
        }
    }

    public String topologyKey() {
        return topologyKey;
    }

    Eligibility eligibility() {
        return eligibility;
    }

    /** {@return whether the node is eligible, so that pods on it are counted} */
    public boolean includes(Node node) {
        for (String key : requiredKeys) {
            if (!node.labels().has(key)) {
                return false;
            }
        }
        return (nodes.isEmpty() || nodes.get().matches(node))
                && (tolerations.isEmpty() || tolerations.get().repelledBy(node).isEmpty());
    }

    /** {@return the number of domains that have an eligible node} */
    int size() {
        return nodesByDomain.size();
    }

    /** {@return whether the domain has an eligible node} */
    boolean has(String domain) {
        return nodesByDomain.containsKey(domain);
    }

    public void came(Node node) {
        domain(node).ifPresent(domain -> {
            if (nodesByDomain.merge(domain, 1, Integer::sum) == 1) {
                rules.forEach(LiveSpread::domainsChanged);
            }
        });
    }

    public void left(Node node) {
        domain(node).ifPresent(domain -> {
            if (nodesByDomain.merge(domain, -1, Integer::sum) == 0) {
                nodesByDomain.remove(domain);
                rules.forEach(LiveSpread::domainsChanged);
            }
        });
    }

    private Optional<String> domain(Node node) {
        return includes(node) ? node.labels().get(topologyKey) : Optional.empty();
    }
}
