package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.rule.RuleIdentity;
import java.util.BitSet;

/** What it means for the seats of a pod that one profile becomes another; the same for all pods that change so. */
final class ResolvedRulesChange {
    /** The slot of a rule that is no longer asked for. */
    static final int GONE = -1;

    private final ResolvedRules before;
    private final ResolvedRules after;
    private final int[] slots;
    private final BitSet kept;

    ResolvedRulesChange(ResolvedRules before, ResolvedRules after) {
        this.before = before;
        this.after = after;
        this.slots = slots(before, after);
        this.kept = new BitSet(after.size());
        for (int slot = 0; slot < slots.length; slot++) {
            if (slots[slot] != GONE && before.live(slot) == after.live(slots[slot])) {
                kept.set(slots[slot]);
            }
        }
    }

    /** Both are in the order of identities. */
    private static int[] slots(ResolvedRules before, ResolvedRules after) {
        int[] slots = new int[before.size()];
        int next = 0;
        for (int slot = 0; slot < slots.length; slot++) {
            RuleIdentity identity = before.rule(slot).identity();
            while (next < after.size() && after.rule(next).identity().compareTo(identity) < 0) {
                next++;
            }
            slots[slot] = next < after.size() && after.rule(next).identity().equals(identity) ? next : GONE;
        }
        return slots;
    }

    ResolvedRules before() {
        return before;
    }

    ResolvedRules after() {
        return after;
    }

    boolean isBetween(ResolvedRules one, ResolvedRules other) {
        return before == one && after == other;
    }

    /** {@return where the rule in a slot of the profile before stands in the one after, or {@link #GONE}} */
    int slot(int slotBefore) {
        return slots[slotBefore];
    }

    /** {@return the same for each slot of the profile before; not to be changed} */
    int[] slots() {
        return slots;
    }

    /** {@return whether the live rule in a slot of the profile after is the one that the same rule had before} */
    boolean keeps(int slotAfter) {
        return kept.get(slotAfter);
    }

    /** {@return the first slot from this one on, in the profile after, whose live rule is another; its size or more if none} */
    int nextNew(int slotAfter) {
        return kept.nextClearBit(slotAfter);
    }
}
