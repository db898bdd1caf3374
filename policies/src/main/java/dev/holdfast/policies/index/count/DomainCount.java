package dev.holdfast.policies.index.count;

import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One domain of a rule: how many partners there are, and the holders, who share a verdict with those that count
 * themselves alike. Nearly always all do, so that the cell is their group itself and only the others need one more.
 */
public final class DomainCount extends VerdictGroup {
    final String domain;

    /** How many partners there are. */
    int count;

    /** Of a spread, while it counts somebody: its place among the cells that count as many. */
    int placeByCount;

    private final DomainCountRule rule;
    private @Nullable Others others;

    /** How the holders in this group count themselves. */
    private boolean own;

    DomainCount(String domain, DomainCountRule rule) {
        this.domain = domain;
        this.rule = rule;
    }

    public String domain() {
        return domain;
    }

    /** {@return how many partners there are} */
    public int count() {
        return count;
    }

    /**
     * {@return the group of holders who count themselves like this; whoever asks puts a holder into it}
     *
     * @param own what the rule tells them apart by
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

    /** Has the verdicts looked at again. */
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

    /** Shows the groups with holders. */
    void forEachGroup(Consumer<VerdictGroup> action) {
        if (size() > 0) {
            action.accept(this);
        }
        if (others != null) {
            action.accept(others);
        }
    }

    /**
     * {@return for how many holders it would be broken}
     *
     * @param holders how many holders of a group to count
     * @param supposed for which groups it would be broken
     */
    public int broken(ToIntFunction<VerdictGroup> holders, Supposition supposed) {
        int broken = supposed.isBroken(own) ? holders.applyAsInt(this) : 0;
        return others == null || !supposed.isBroken(others.own) ? broken : broken + holders.applyAsInt(others);
    }

    /** Whether the rule would be broken for holders who count themselves like this. */
    @FunctionalInterface
    public interface Supposition {
        boolean isBroken(boolean own);
    }

    /** The holders who do not count themselves like those of the cell's own group. */
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
