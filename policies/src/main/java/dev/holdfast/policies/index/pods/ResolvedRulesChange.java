package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.rule.RuleIdentity;
import java.util.BitSet;

/**
 * The mapping from old to new slots when a pod gets other resolved rules. A slot is the position of a rule in the
 * resolved rules of a pod. All pods with the same change share one instance.
 */
final class ResolvedRulesChange {
    /** Stands for the new position of a rule that the pod is not held to any more, because no policy requests it. */
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

    /**
     * {@return for each old position (slot) of a rule, the new one, or {@link #GONE}} Old and new rules are sorted by
     * rule identity.
     */
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

    /** {@return the new position (slot) of the rule that was at the given position before, or {@link #GONE}} */
    int slot(int slotBefore) {
        return slots[slotBefore];
    }

    /**
     * {@return for each old position (slot) of a rule, the new one, or {@link #GONE}; the caller must not change the
     * array}
     */
    int[] slots() {
        return slots;
    }

    /** {@return whether the rule at this new position was one of the old rules} */
    boolean wasHeldTo(int slotAfter) {
        for (int slot : slots) {
            if (slot == slotAfter) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether the rule at this new position has the same object with partner counts (live rule) as before} */
    boolean keeps(int slotAfter) {
        return kept.get(slotAfter);
    }

    /**
     * {@return the first new position, from {@code slotAfter} on, of a rule that is new or has other partner counts
     * than before} If there is none, the number of new rules or more.
     */
    int nextNew(int slotAfter) {
        return kept.nextClearBit(slotAfter);
    }
}
