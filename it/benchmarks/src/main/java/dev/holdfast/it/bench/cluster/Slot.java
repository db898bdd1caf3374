package dev.holdfast.it.bench.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The time slot in which one step of a label change is sent to the API server.
 *
 * @param at the number of the time slot, from 0; slots have equal lengths
 * @param change the number of the change, from 0
 */
record Slot(int at, int change, ChangeStep changeStep) {
    /**
     * How many later changes are made before a change is reverted. At 20 requests a second, a change is in effect for
     * half a second.
     */
    static final int OVERLAP = 5;

    /**
     * {@return the slots in which the changes are made and reverted, in time order} Changes are made in even slots and
     * reverted in odd slots, so that the rate is steady. Change 0 is made in slot 0 and reverted in slot 11.
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
