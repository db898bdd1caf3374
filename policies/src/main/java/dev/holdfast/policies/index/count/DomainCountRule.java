package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.table.KeyedTable;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Anti-affinity or topology spread, with its counts by domain. The verdict for a rule owner depends on the number of
 * partners in the domain of the rule owner's node.
 */
public abstract sealed class DomainCountRule extends LiveRule permits LiveAntiAffinity, LiveSpread {
    private final KeyedTable<String, DomainCount> domainCounts =
            new KeyedTable<>(domainCount -> domainCount.domain, domainCount -> domainCount.domain.hashCode());

    DomainCountRule(List<TermMatcher> terms) {
        super(terms);
    }

    /**
     * {@return whether rule owners in a domain violate the rule}
     *
     * @param count the number of partners in the domain
     * @param own for anti-affinity: whether the rule owners are themselves in {@code count}. For spread: whether 1 must
     *     be added to {@code count}, because the rule owner matches the selector, but is on a node whose pods are not
     *     counted
     */
    abstract boolean isBroken(int count, boolean own);

    /** Called when a verdict group of this rule lost its last rule owner. */
    void emptied(VerdictGroup verdictGroup) {}

    /** Finds or creates the count of a domain, and returns it. */
    final DomainCount domainCount(String domain) {
        DomainCount known = domainCounts.get(domain);
        if (known == null) {
            known = new DomainCount(domain, this);
            domainCounts.add(known);
            takes(RuleLimits.DOMAIN);
        }
        return known;
    }

    /** {@return the count of a domain; null if the domain has neither a partner nor a rule owner} */
    public final @Nullable DomainCount domainCountIfUsed(String domain) {
        return domainCounts.get(domain);
    }

    final void drop(DomainCount domainCount) {
        domainCounts.remove(domainCount.domain);
        takes(-RuleLimits.DOMAIN);
    }
}
