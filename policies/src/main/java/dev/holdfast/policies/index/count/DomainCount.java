package dev.holdfast.policies.index.count;

import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One domain of a rule: the number of partners, and up to two groups of holders, by whether they count themselves.
 * Nearly always there is one group. So this object is the first group itself, and only a second group needs another
 * object.
 */
public final class DomainCount extends VerdictGroup {
    final String domain;

    /** The number of partners in the domain. */
    int count;

    /** For a spread with a count above 0: its position among the domains with the same count. */
    int placeByCount;

    private final DomainCountRule rule;
    private @Nullable Others others;

    /** Whether the holders in this group count themselves, as {@link #group} defines it. */
    private boolean own;

    DomainCount(String domain, DomainCountRule rule) {
        this.domain = domain;
        this.rule = rule;
    }

    public String domain() {
        return domain;
    }

    /** {@return the number of partners in the domain} */
    public int count() {
        return count;
    }

    /**
     * {@return the group for holders that do or do not count themselves; the caller must add a holder to it}
     *
     * @param own for anti-affinity, whether the holder is a partner; for spread, whether it adds itself to the count
     */
    VerdictGroup group(boolean own) {
        if (others != null && others.own == own) {
            return others;
        }
        if (size() == 0) {
            this.own = own;
            broken = isBroken();
            return this;
        }
        if (this.own == own) {
            return this;
        }
        others = new Others(this, own);
        others.broken = others.isBroken();
        return others;
    }

    /** Marks the groups with holders as dirty. */
    void doubt(DirtyGroups dirtyGroups) {
        if (size() > 0) {
            dirtyGroups.doubt(this);
        }
        if (others != null) {
            dirtyGroups.doubt(others);
        }
    }

    @Override
    boolean isBroken() {
        return rule.isBroken(count, own);
    }

    @Override
    void emptied() {
        rule.emptied(this);
        dropIfEmpty();
    }

    void dropIfEmpty() {
        if (count == 0 && size() == 0 && others == null) {
            rule.drop(this);
        }
    }

    /** Calls the action for the groups with holders. */
    void forEachGroup(Consumer<VerdictGroup> action) {
        if (size() > 0) {
            action.accept(this);
        }
        if (others != null) {
            action.accept(others);
        }
    }

    /**
     * {@return the number of holders that would violate the rule}
     *
     * @param holders how many holders of a group to count
     * @param supposed which groups would violate the rule
     */
    public int broken(ToIntFunction<VerdictGroup> holders, Supposition supposed) {
        int broken = supposed.isBroken(own) ? holders.applyAsInt(this) : 0;
        return others == null || !supposed.isBroken(others.own) ? broken : broken + holders.applyAsInt(others);
    }

    /** A hypothetical verdict by whether holders count themselves, as {@link #group} defines it. */
    @FunctionalInterface
    public interface Supposition {
        boolean isBroken(boolean own);
    }

    /** The second group of a domain. */
    private static final class Others extends VerdictGroup {
        private final DomainCount domainCount;
        private final boolean own;

        Others(DomainCount domainCount, boolean own) {
            this.domainCount = domainCount;
            this.own = own;
        }

        @Override
        boolean isBroken() {
            return domainCount.rule.isBroken(domainCount.count, own);
        }

        @Override
        void emptied() {
            domainCount.rule.emptied(this);
            domainCount.others = null;
            domainCount.dropIfEmpty();
        }
    }
}
