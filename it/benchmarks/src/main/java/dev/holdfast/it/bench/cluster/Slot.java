package dev.holdfast.it.bench.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The beat at which a step of a change is committed.
 *
 * @param at the number of the beat, from 0
 * @param change the number of the change, from 0
 */
record Slot(int at, int change, ChangeStep changeStep) {
    /** How many later changes break something before one is reverted: half a second at 20 changes a second. */
    static final int OVERLAP = 5;

    /**
     * {@return the beats at which each change is made and reverted, in order} Changes break rules on even beats and
     * heal on odd ones, so that both steps together have a steady rate.
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
