package dev.holdfast.policies.index.count;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import org.jspecify.annotations.Nullable;

/**
 * A pod that is held to rules, with the verdict group that the pod is in for each rule, and its position in that group.
 * A <em>slot</em> is the position of a rule in the pod's resolved rules (all rules that the pod is held to, sorted by
 * rule identity).
 */
public abstract class RuleOwner {
    private static final @Nullable VerdictGroup[] NO_GROUPS = new @Nullable VerdictGroup[0];
    private static final int[] NO_PLACES = new int[0];

    /**
     * The verdict group for each of the pod's resolved rules, in their order; null for a rule that the pod cannot
     * violate now.
     */
    private @Nullable VerdictGroup[] groups = NO_GROUPS;

    /** The pod's position in each verdict group of {@link #groups}, in the same order. */
    private int[] places = NO_PLACES;

    /** {@return the current state of the pod} */
    public abstract Pod pod();

    /** {@return the rule at position {@code slot} of all rules that the pod is held to, sorted by rule identity} */
    public abstract AppliedRule rule(int slot);

    /** {@return whether the pod is a partner of the rule} */
    public abstract boolean isMatchedBy(LiveRule rule);

    /** {@return the number of rules that the pod is held to; each has a slot, counted from 0} */
    public final int slots() {
        return groups.length;
    }

    /** {@return whether the pod violates the rule at position {@code slot} of its resolved rules} */
    public final boolean broken(int slot) {
        VerdictGroup group = groups[slot];
        return group != null && group.broken;
    }

    /** {@return whether the pod is in this verdict group} */
    public final boolean isIn(VerdictGroup verdictGroup) {
        for (VerdictGroup group : groups) {
            if (verdictGroup.equals(group)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Sets the number of rules that the pod is held to, each of which gets a slot. The pod must be in no verdict group.
     */
    public final void makeSlots(int size) {
        if (groups.length != size) {
            groups = size == 0 ? NO_GROUPS : new @Nullable VerdictGroup[size];
            places = size == 0 ? NO_PLACES : new int[size];
        }
    }

    /**
     * Adds the pod to a verdict group of the rule at position {@code slot} of its resolved rules. A null group means
     * that the pod cannot violate the rule now.
     */
    public final void joinGroup(int slot, @Nullable VerdictGroup verdictGroup) {
        groups[slot] = verdictGroup;
        if (verdictGroup != null) {
            places[slot] = verdictGroup.add(this, slot);
        }
    }

    /**
     * Removes the pod from its verdict group for the rule at position {@code slot} of its resolved rules, if it is in
     * one.
     */
    public final void leave(int slot) {
        VerdictGroup group = groups[slot];
        if (group != null) {
            groups[slot] = null;
            group.remove(places[slot]);
        }
    }

    /**
     * Moves the pod's rules to new positions after its resolved rules changed; the pod stays in its verdict groups.
     *
     * @param slots the new position for each old position; not read for rules without a verdict group
     * @param size the number of rules in the new resolved rules
     */
    public final void moveTo(int[] slots, int size) {
        @Nullable VerdictGroup[] newGroups = size == 0 ? NO_GROUPS : new @Nullable VerdictGroup[size];
        int[] newPlaces = size == 0 ? NO_PLACES : new int[size];
        for (int slot = 0; slot < groups.length; slot++) {
            VerdictGroup group = groups[slot];
            if (group != null) {
                int now = slots[slot];
                newGroups[now] = group;
                newPlaces[now] = places[slot];
                if (now != slot) {
                    group.moved(places[slot], now);
                }
            }
        }
        groups = newGroups;
        places = newPlaces;
    }

    /** Records that the pod has a new position in its verdict group for the rule at position {@code slot}. */
    final void movedInGroup(int slot, int place) {
        places[slot] = place;
    }
}
