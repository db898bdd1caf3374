package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.table.KeyedTable;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A rule whose verdict hangs on how many partners are in the holder's domain of one topology key. */
public abstract sealed class DomainCountRule extends LiveRule permits LiveAntiAffinity, LiveSpread {
    private final KeyedTable<String, DomainCount> domainCounts =
            new KeyedTable<>(domainCount -> domainCount.domain, domainCount -> domainCount.domain.hashCode());

    DomainCountRule(List<TermMatcher> terms) {
        super(terms);
    }

    /**
     * {@return whether it is broken for holders in a domain}
     *
     * @param count how many partners are there
     * @param own how these holders count themselves
     */
    abstract boolean isBroken(int count, boolean own);

    /** Called when the last holder has left a group. */
    void emptied(VerdictGroup verdictGroup) {}

    /** {@return the cell of a domain, made if there is none} */
    final DomainCount cell(String domain) {
        DomainCount known = domainCounts.get(domain);
        if (known == null) {
            known = new DomainCount(domain, this);
            domainCounts.add(known);
        }
        return known;
    }

    /** {@return the cell of a domain; absent where there is neither a partner nor a holder} */
    final @Nullable public DomainCount cellIfUsed(String domain) {
        return domainCounts.get(domain);
    }

    final void drop(DomainCount domainCount) {
        domainCounts.remove(domainCount.domain);
    }
}
