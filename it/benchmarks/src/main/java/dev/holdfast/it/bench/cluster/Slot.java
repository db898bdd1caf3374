package dev.holdfast.it.bench.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One moment at which a change is committed.
 *
 * @param at how many beats after the beginning
 * @param change which one, from 0
 */
record Slot(int at, int change, ChangeStep changeStep) {
    /** So many further changes break something before one is healed: half a second at 20 changes a second. */
    static final int OVERLAP = 5;

    /**
     * {@return when each of so many changes breaks and heals, in order} On even beats something breaks, on odd ones
     * something heals, so that both together come at a steady rate.
     */
    static List<Slot> schedule(int changes) {
        List<Slot> slots = new ArrayList<>();
        for (int i = 0; i < changes; i++) {
            slots.add(new Slot(2 * i, i, ChangeStep.BREAK));
            slots.add(new Slot(2 * (i + OVERLAP) + 1, i, ChangeStep.HEAL));
        }
        slots.sort(Comparator.comparingInt(Slot::at));
        return List.copyOf(slots);
    }
}
