package dev.holdfast.policies.index.count;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.rule.SpreadDomains;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The domains of one topology key in which a spread constraint counts pods, each with its number of eligible nodes. A
 * node is eligible if the constraint counts the pods on it (TS-4, TS-5). Constraints with the same eligible nodes share
 * one instance.
 */
public final class DomainSet {
    private final SpreadDomains spreadDomains;
    private final String topologyKey;
    private final Predicate<Node> eligible;
    private final Map<String, Integer> nodesByDomain = new HashMap<>();

    /** The spread constraints that share this set of domains. */
    final Set<LiveSpread> rules = new LinkedHashSet<>();

    /** The rule for which the heap of this set counts; null while no rule uses it. */
    private @Nullable LiveSpread payer;

    DomainSet(SpreadDomains spreadDomains) {
        this.spreadDomains = spreadDomains;
        this.topologyKey = spreadDomains.topologyKey().intern();
        this.eligible = spreadDomains.eligibility().matcher();
    }

    /** {@return what decides which nodes are eligible, and the topologyKey} */
    public SpreadDomains spreadDomains() {
        return spreadDomains;
    }

    /** {@return whether the node is eligible, so that pods on it are counted} */
    public boolean includes(Node node) {
        return eligible.test(node);
    }

    /** {@return the domains that have an eligible node, in no order; a view that changes with the nodes} */
    public Set<String> names() {
        return Collections.unmodifiableSet(nodesByDomain.keySet());
    }

    /** Adds a constraint that uses this set. */
    void add(LiveSpread rule) {
        rules.add(rule);
        if (payer == null) {
            payer = rule;
            rule.takes(nodesByDomain.size() * RuleLimits.ELIGIBLE_DOMAIN);
        }
    }

    /** Removes a constraint that does not use this set any more. The heap then counts for another constraint. */
    void remove(LiveSpread rule) {
        rules.remove(rule);
        if (rule.equals(payer)) {
            rule.takes(-nodesByDomain.size() * RuleLimits.ELIGIBLE_DOMAIN);
            payer = rules.stream().findFirst().orElse(null);
            if (payer != null) {
                payer.takes(nodesByDomain.size() * RuleLimits.ELIGIBLE_DOMAIN);
            }
        }
    }

    private void takes(int more) {
        if (payer != null) {
            payer.takes(more);
        }
    }

    public void came(Node node) {
        domain(node).ifPresent(domain -> {
            if (nodesByDomain.merge(domain, 1, Integer::sum) == 1) {
                takes(RuleLimits.ELIGIBLE_DOMAIN);
                rules.forEach(LiveSpread::domainsChanged);
            }
        });
    }

    public void left(Node node) {
        domain(node).ifPresent(domain -> {
            if (nodesByDomain.merge(domain, -1, Integer::sum) == 0) {
                nodesByDomain.remove(domain);
                takes(-RuleLimits.ELIGIBLE_DOMAIN);
                rules.forEach(LiveSpread::domainsChanged);
            }
        });
    }

    private Optional<String> domain(Node node) {
        return includes(node) ? node.labels().get(topologyKey) : Optional.empty();
    }
}
