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
 * The domains that spread constraints with the same eligible nodes have (TS-4 to TS-6), each with its number of nodes.
 */
public final class DomainSet {
    private final Eligibility eligibility;
    private final String topologyKey;
    private final List<String> requiredKeys;
    private final Optional<NodeMatcher> nodes;
    private final Optional<TolerationMatcher> tolerations;
    private final Map<String, Integer> nodesByDomain = new HashMap<>();

    /** The constraints that share these domains. */
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
     * What decides whether a node takes part in a constraint.
     *
     * @param nodes the rule owner's nodeSelector and node affinity; absent with {@code nodeAffinityPolicy: Ignore}, or
     *     if it has neither
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

    /** {@return whether the node takes part, so that pods on it are counted} */
    public boolean includes(Node node) {
        for (String key : requiredKeys) {
            if (!node.labels().has(key)) {
                return false;
            }
        }
        return (nodes.isEmpty() || nodes.get().matches(node))
                && (tolerations.isEmpty() || tolerations.get().repelledBy(node).isEmpty());
    }

    /** {@return the number of domains} */
    int size() {
        return nodesByDomain.size();
    }

    /** {@return whether a node that takes part is in the domain} */
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
