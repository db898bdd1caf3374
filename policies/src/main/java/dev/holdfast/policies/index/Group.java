package dev.holdfast.policies.index;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The holders of one rule whose verdict is the same whatever happens to others: they are in the same domains and count
 * themselves alike. The verdict is kept once for all of them.
 */
abstract class Group implements Holders {
    private static final int FIRST_SIZE = 2;

    private @Nullable PodEntry[] pods = new @Nullable PodEntry[FIRST_SIZE];
    private int[] slots = new int[FIRST_SIZE];
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
    int add(PodEntry pod, int slot) {
        if (size == slots.length) {
            pods = Arrays.copyOf(pods, size * 2);
            slots = Arrays.copyOf(slots, size * 2);
        }
        pods[size] = pod;
        slots[size] = slot;
        return size++;
    }

    /** Takes out the holder at a place; the last one takes its place. */
    void remove(int place) {
        size--;
        PodEntry last = at(size);
        pods[place] = last;
        slots[place] = slots[size];
        last.places[slots[place]] = place;
        pods[size] = null;
        if (size == 0) {
            emptied();
        }
    }

    private PodEntry at(int place) {
        return Objects.requireNonNull(pods[place]);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void forEach(Visitor visitor) {
        for (int place = 0; place < size; place++) {
            PodEntry entry = at(place);
            visitor.see(entry.pod, entry.profile.rule(slots[place]));
        }
    }

    /** Holders whose rule is broken by their own node, whatever other pods do. */
    static final class Broken extends Group {
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
