package dev.holdfast.policies.index.count;

import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The number of partners that one rule has in one domain, with the verdict groups (rule owners that share a verdict) of
 * that domain. A domain nearly always has one group, and at most two. This object is also the first group; only a
 * second group needs another object.
 */
public final class DomainCount extends VerdictGroup {
    final String domain;

    /** The number of partners in the domain. */
    int count;

    /**
     * For a spread constraint: the position of this object in the constraint's list of domains with the same count;
     * unused if the count is 0.
     */
    int placeByCount;

    private final DomainCountRule rule;
    private @Nullable SecondGroup secondGroup;

    /**
     * The parameter {@code own} of {@link #group} for the rule owners of the first group, which all have the same
     * value.
     */
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
     * Finds or creates the verdict group for a rule owner in this domain, and returns it. The caller must add the rule
     * owner to the group.
     *
     * @param own for anti-affinity: whether the rule owner is itself in {@link #count}, because it is a partner. For
     *     spread: whether 1 must be added to the count for it, because it matches the selector, but is on a node whose
     *     pods are not counted
     */
    VerdictGroup group(boolean own) {
        if (secondGroup != null && secondGroup.own == own) {
            return secondGroup;
        }
        if (size() == 0) {
            this.own = own;
            broken = isBroken();
            return this;
        }
        if (this.own == own) {
            return this;
        }
        secondGroup = new SecondGroup(this, own);
        secondGroup.broken = secondGroup.isBroken();
        return secondGroup;
    }

    /** Marks the verdict groups of this domain as dirty; a group without rule owners is left out. */
    void markDirty(DirtyGroups dirtyGroups) {
        if (size() > 0) {
            dirtyGroups.markDirty(this);
        }
        if (secondGroup != null) {
            dirtyGroups.markDirty(secondGroup);
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
        if (count == 0 && size() == 0 && secondGroup == null) {
            rule.drop(this);
        }
    }

    /** Calls the action for the verdict groups of this domain that have rule owners. */
    void forEachGroup(Consumer<VerdictGroup> action) {
        if (size() > 0) {
            action.accept(this);
        }
        if (secondGroup != null) {
            action.accept(secondGroup);
        }
    }

    /**
     * {@return the number of rule owners in this domain that would violate the rule}
     *
     * @param holders how many rule owners of a verdict group to count, for example only those that stay on their node
     * @param supposed the hypothetical verdict of each verdict group
     */
    public int broken(ToIntFunction<VerdictGroup> holders, HypotheticalVerdict supposed) {
        int broken = supposed.isBroken(own) ? holders.applyAsInt(this) : 0;
        return secondGroup == null || !supposed.isBroken(secondGroup.own)
                ? broken
                : broken + holders.applyAsInt(secondGroup);
    }

    /**
     * Answers whether rule owners in this domain would violate the rule, for example after a move. The answer may
     * depend on the parameter {@code own}, which {@link #group} explains.
     */
    @FunctionalInterface
    public interface HypotheticalVerdict {
        boolean isBroken(boolean own);
    }

    /**
     * The second verdict group of a domain. Example for anti-affinity: the first group has the rule owners that are
     * partners themselves, the second has the others.
     */
    private static final class SecondGroup extends VerdictGroup {
        private final DomainCount domainCount;
        private final boolean own;

        SecondGroup(DomainCount domainCount, boolean own) {
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
            domainCount.secondGroup = null;
            domainCount.dropIfEmpty();
        }
    }
}
