package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.change.RuleOwners;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A required anti-affinity term, with the number of partners in every domain that has a partner or a rule owner. A rule
 * owner violates the term if its domain has a partner other than the rule owner itself. The count of a domain includes
 * rule owners that are partners.
 */
public final class LiveAntiAffinity extends DomainCountRule {
    private final String topologyKey;
    private final boolean clusterWide;
    private final Set<String> exemptNamespaces;
    private final DirtyGroups dirtyGroups;

    LiveAntiAffinity(TermMatcher term, Set<String> exemptNamespaces, DirtyGroups dirtyGroups) {
        super(List.of(term));
        this.topologyKey = term.topologyKey().intern();
        this.clusterWide = term.isClusterWide();
        this.exemptNamespaces = exemptNamespaces;
        this.dirtyGroups = dirtyGroups;
    }

    @Override
    public boolean appliesTo(String namespace, Optional<Labels> labels) {
        return !exemptNamespaces.contains(namespace) && super.appliesTo(namespace, labels);
    }

    @Override
    public void came(Pod partner, Node node) {
        count(node, 1);
    }

    @Override
    public void left(Pod partner, Node node) {
        count(node, -1);
    }

    private void count(Node node, int more) {
        Optional<String> domain = domain(node);
        if (domain.isPresent()) {
            DomainCount domainCount = domainCount(domain.get());
            domainCount.count += more;
            domainCount.markDirty(dirtyGroups);
            domainCount.dropIfEmpty();
        }
    }

    @Override
    public boolean isBroken(int count, boolean isPartner) {
        return count > (isPartner ? 1 : 0);
    }

    @Override
    @Nullable
    public VerdictGroup join(RuleOwner ruleOwner, Node node) {
        Optional<String> domain = domain(node);
        if (domain.isEmpty() || exemptNamespaces.contains(ruleOwner.pod().namespace())) {
            return null;
        }
        return domainCount(domain.get()).group(ruleOwner.isMatchedBy(this));
    }

    public String topologyKey() {
        return topologyKey;
    }

    /** {@return whether the term is {@linkplain TermMatcher#isClusterWide() cluster-wide}} */
    public boolean isClusterWide() {
        return clusterWide;
    }

    /**
     * {@return the domain of a node; empty if the node lacks the topology key, so that pods on it have no conflicts}
     */
    public Optional<String> domain(Node node) {
        return node.labels().get(topologyKey);
    }

    /** {@return the number of partners in a domain} */
    public int partnersIn(String domain) {
        DomainCount domainCount = domainCountIfUsed(domain);
        return domainCount == null ? 0 : domainCount.count;
    }

    /** Calls the action for each rule owner in the domain that conflicts with a partner there. */
    public void forEachBroken(String domain, Consumer<RuleOwner> action) {
        forEachBrokenGroup(domain, group -> group.forEachHolder(action));
    }

    /** Calls the visitor for each rule owner in the domain that conflicts with a partner there, with its rule. */
    public void visitBroken(String domain, RuleOwners.Visitor visitor) {
        forEachBrokenGroup(domain, group -> group.forEach(visitor));
    }

    private void forEachBrokenGroup(String domain, Consumer<VerdictGroup> action) {
        DomainCount domainCount = domainCountIfUsed(domain);
        if (domainCount != null) {
            domainCount.forEachGroup(verdictGroup -> {
                if (verdictGroup.broken) {
                    action.accept(verdictGroup);
                }
            });
        }
    }
}
