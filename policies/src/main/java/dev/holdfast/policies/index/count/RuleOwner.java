package dev.holdfast.policies.index.count;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import org.jspecify.annotations.Nullable;

/** A pod that is held to rules (the rule owner). For each rule it knows its verdict group and its position there. */
public abstract class RuleOwner {
    private static final @Nullable VerdictGroup[] NO_GROUPS = new @Nullable VerdictGroup[0];
    private static final int[] NO_PLACES = new int[0];

    /** The group by slot of the pod's resolved rules; null where nothing can violate the rule. */
    private @Nullable VerdictGroup[] groups = NO_GROUPS;

    /** The pod's position in its group, by slot. */
    private int[] places = NO_PLACES;

    /** {@return the current state of the pod} */
    public abstract Pod pod();

    /** {@return the rule in a slot of the pod's resolved rules} */
    public abstract AppliedRule rule(int slot);

    /** {@return whether the pod is a partner of the rule} */
    public abstract boolean isMatchedBy(LiveRule rule);

    /** {@return the number of rules that the pod has a slot for} */
    public final int slots() {
        return groups.length;
    }

    /** {@return whether the pod violates the rule in a slot} */
    public final boolean broken(int slot) {
        VerdictGroup group = groups[slot];
        return group != null && group.broken;
    }

    /** {@return whether the pod is in a group} */
    public final boolean sitsIn(VerdictGroup verdictGroup) {
        for (VerdictGroup group : groups) {
            if (verdictGroup.equals(group)) {
                return true;
            }
        }
        return false;
    }

    /** Creates slots for other resolved rules; the pod must be in no group. */
    public final void makeSlots(int size) {
        if (groups.length != size) {
            groups = size == 0 ? NO_GROUPS : new @Nullable VerdictGroup[size];
            places = size == 0 ? NO_PLACES : new int[size];
        }
    }

    /** Adds the pod to the group for one of its rules; null if nothing can violate the rule. */
    public final void sit(int slot, @Nullable VerdictGroup verdictGroup) {
        groups[slot] = verdictGroup;
        if (verdictGroup != null) {
            places[slot] = verdictGroup.add(this, slot);
        }
    }

    /** Removes the pod from the group for one of its rules. */
    public final void leave(int slot) {
        VerdictGroup group = groups[slot];
        if (group != null) {
            groups[slot] = null;
            group.remove(places[slot]);
        }
    }

    /**
     * Moves rules to other slots; the pod stays in its groups.
     *
     * @param slots the new slot for each slot; not read for slots without a group
     * @param size the number of slots afterwards
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

    /** Records that the pod is at another position in its group. */
    final void movedInGroup(int slot, int place) {
        places[slot] = place;
    }
}
