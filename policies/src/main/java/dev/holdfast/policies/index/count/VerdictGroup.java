package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.change.RuleOwners;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rule owners of one rule that always have the same verdict, because their verdicts depend on the same counts.
 * Example: the replicas of a Deployment in one zone, for anti-affinity to each other. The verdict is stored once for
 * the group.
 */
public abstract class VerdictGroup implements RuleOwners {
    private static final @Nullable RuleOwner[] NO_PODS = new @Nullable RuleOwner[0];
    private static final int[] NO_SLOTS = new int[0];
    private static final int FIRST_SIZE = 4;

    /** The first rule owner; null in an empty group. Most groups have only one, and need no array. */
    private @Nullable RuleOwner first;

    private int firstSlot;

    /** The rule owners after the first. */
    private @Nullable RuleOwner[] pods = NO_PODS;

    private int[] slots = NO_SLOTS;
    private int size;

    /** Whether the rule owners violate the rule, as last evaluated. */
    boolean broken;

    /** Whether this group is dirty: its verdict must be evaluated again after the event has been counted. */
    boolean dirty;

    /** {@return whether the rule owners violate the rule with the current counts} */
    abstract boolean isBroken();

    /** Called when the last rule owner was removed. */
    abstract void emptied();

    /**
     * Adds a rule owner and returns its position in this group.
     *
     * @param slot the position of the rule in the resolved rules of the pod
     */
    int add(RuleOwner pod, int slot) {
        if (size > pods.length) {
            resize(Math.max(FIRST_SIZE, pods.length * 2));
        }
        put(size, pod, slot);
        return size++;
    }

    /** Removes the rule owner at a position; the last rule owner moves to that position. */
    void remove(int place) {
        size--;
        RuleOwner last = at(size);
        int slot = slotAt(size);
        put(place, last, slot);
        last.movedInGroup(slot, place);
        put(size, null, 0);
        if (size * 4 <= pods.length && pods.length > FIRST_SIZE) {
            resize(Math.max(FIRST_SIZE, size * 2));
        }
        if (size == 0) {
            emptied();
        }
    }

    /** Records a new slot: the position of the rule in the resolved rules of the rule owner at {@code place}. */
    void moved(int place, int slot) {
        put(place, at(place), slot);
    }

    private void resize(int length) {
        pods = Arrays.copyOf(pods, length);
        slots = Arrays.copyOf(slots, length);
    }

    /** {@return how many rule owners fit without a resize; a large group has room for at most four times its size} */
    int room() {
        return 1 + pods.length;
    }

    private void put(int place, @Nullable RuleOwner pod, int slot) {
        if (place == 0) {
            first = pod;
            firstSlot = slot;
        } else {
            pods[place - 1] = pod;
            slots[place - 1] = slot;
        }
    }

    private RuleOwner at(int place) {
        return Objects.requireNonNull(place == 0 ? first : pods[place - 1]);
    }

    private int slotAt(int place) {
        return place == 0 ? firstSlot : slots[place - 1];
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void forEach(Visitor visitor) {
        for (int place = 0; place < size; place++) {
            RuleOwner ruleOwner = at(place);
            visitor.see(ruleOwner.pod(), ruleOwner.rule(slotAt(place)));
        }
    }

    /** Calls the action for each rule owner, in no particular order. */
    void forEachHolder(Consumer<RuleOwner> action) {
        for (int place = 0; place < size; place++) {
            action.accept(at(place));
        }
    }

    /**
     * Rule owners that violate the rule because of their own node, whatever other pods do: the node lacks the topology
     * key, for example.
     */
    static final class Broken extends VerdictGroup {
        Broken() {
            broken = true;
        }

        @Override
        boolean isBroken() {
            return true;
        }

        @Override
        void emptied() {
            // An empty group is kept for the next rule owner.
        }
    }
}
