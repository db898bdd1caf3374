package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.table.KeyedTable;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A live rule whose verdict depends on the number of partners in the holder's domain of one topology key. */
public abstract sealed class DomainCountRule extends LiveRule permits LiveAntiAffinity, LiveSpread {
    private final KeyedTable<String, DomainCount> domainCounts =
            new KeyedTable<>(domainCount -> domainCount.domain, domainCount -> domainCount.domain.hashCode());

    DomainCountRule(List<TermMatcher> terms) {
        super(terms);
    }

    /**
     * {@return whether holders in a domain violate the rule}
     *
     * @param count the number of partners in the domain
     * @param own whether the holders count themselves, as {@link DomainCount#group} defines it
     */
    abstract boolean isBroken(int count, boolean own);

    /** Called when the last holder of a group was removed. */
    void emptied(VerdictGroup verdictGroup) {}

    /** {@return the count of a domain, created if it does not exist} */
    final DomainCount cell(String domain) {
        DomainCount known = domainCounts.get(domain);
        if (known == null) {
            known = new DomainCount(domain, this);
            domainCounts.add(known);
        }
        return known;
    }

    /** {@return the count of a domain; null if it has neither a partner nor a holder} */
    final @Nullable public DomainCount cellIfUsed(String domain) {
        return domainCounts.get(domain);
    }

    final void drop(DomainCount domainCount) {
        domainCounts.remove(domainCount.domain);
    }
}
