package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.rule.RuleIdentity;
import java.util.BitSet;

/** The mapping of slots when a pod gets other resolved rules; all pods with the same change share it. */
final class ResolvedRulesChange {
    /** The new slot of a rule that no policy requests any more. */
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

    /** Both are sorted by rule identity. */
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

    /** {@return the new slot of the rule in an old slot, or {@link #GONE}} */
    int slot(int slotBefore) {
        return slots[slotBefore];
    }

    /** {@return the new slot for each old slot; the caller must not change the array} */
    int[] slots() {
        return slots;
    }

    /** {@return whether the rule in a new slot has the same live rule as before} */
    boolean keeps(int slotAfter) {
        return kept.get(slotAfter);
    }

    /**
     * {@return the first new slot from this one on that has another live rule; the number of slots or more if no slot
     * has one}
     */
    int nextNew(int slotAfter) {
        return kept.nextClearBit(slotAfter);
    }
}
