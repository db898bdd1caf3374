package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.change.Holders;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The holders of one rule whose verdict is the same whatever happens to others: they are in the same domains and count
 * themselves alike. The verdict is kept once for all of them.
 */
public abstract class VerdictGroup implements Holders {
    private static final @Nullable Holder[] NO_PODS = new @Nullable Holder[0];
    private static final int[] NO_SLOTS = new int[0];
    private static final int FIRST_SIZE = 4;

    /** Most groups have one holder, kept without an array. */
    private @Nullable Holder first;

    private int firstSlot;

    /** The holders after the first. */
    private @Nullable Holder[] pods = NO_PODS;

    private int[] slots = NO_SLOTS;
    private int size;

    /** The verdict as last told. */
    boolean broken;

    /** Whether the verdict is to be looked at again when the event has been taken in. */
    boolean doubtful;

    /** {@return the verdict as the counts are now} */
    abstract boolean isBroken();

    /** Called when the last holder has left. */
    abstract void emptied();

    /** {@return the place of a new holder} */
    int add(Holder pod, int slot) {
        if (size > pods.length) {
            resize(Math.max(FIRST_SIZE, pods.length * 2));
        }
        put(size, pod, slot);
        return size++;
    }

    /** Takes out the holder at a place; the last one takes its place. */
    void remove(int place) {
        size--;
        Holder last = at(size);
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

    /** Notes that the rule of the holder at a place stands in another slot of its profile now. */
    void moved(int place, int slot) {
        put(place, at(place), slot);
    }

    private void resize(int length) {
        pods = Arrays.copyOf(pods, length);
        slots = Arrays.copyOf(slots, length);
    }

    /** {@return how many holders there is room for: never more than four times as many as there are, but for the first} */
    int room() {
        return 1 + pods.length;
    }

    private void put(int place, @Nullable Holder pod, int slot) {
        if (place == 0) {
            first = pod;
            firstSlot = slot;
        } else {
            pods[place - 1] = pod;
            slots[place - 1] = slot;
        }
    }

    private Holder at(int place) {
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
            Holder holder = at(place);
            visitor.see(holder.pod(), holder.rule(slotAt(place)));
        }
    }

    /** Shows each holder, in no particular order. */
    void forEachHolder(Consumer<Holder> action) {
        for (int place = 0; place < size; place++) {
            action.accept(at(place));
        }
    }

    /** Holders whose rule is broken by their own node, whatever other pods do. */
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
            // Kept for the next holder.
        }
    }
}
