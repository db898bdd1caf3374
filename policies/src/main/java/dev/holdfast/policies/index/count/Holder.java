package dev.holdfast.policies.index.count;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.HeldRule;
import org.jspecify.annotations.Nullable;

/** A pod that is held to rules: for each of them the group with which it shares the verdict, and its place there. */
public abstract class Holder {
    private static final @Nullable VerdictGroup[] NO_SEATS = new @Nullable VerdictGroup[0];
    private static final int[] NO_PLACES = new int[0];

    /** By rule of the profile: with whom the pod shares the verdict; absent where nothing can break it. */
    private @Nullable VerdictGroup[] seats = NO_SEATS;

    /** By rule of the profile: the pod's place in its group. */
    private int[] places = NO_PLACES;

    /** {@return the pod as it is now} */
    public abstract Pod pod();

    /** {@return the rule in a slot of the pod's profile} */
    public abstract HeldRule rule(int slot);

    /** {@return whether the rule counts the pod as a partner} */
    public abstract boolean isMatchedBy(LiveRule rule);

    /** {@return how many rules the pod has a slot for} */
    public final int slots() {
        return seats.length;
    }

    /** {@return whether the rule is Violated for the pod} */
    public final boolean broken(int slot) {
        VerdictGroup seat = seats[slot];
        return seat != null && seat.broken;
    }

    /** {@return whether the pod shares the verdict of a group} */
    public final boolean sitsIn(VerdictGroup verdictGroup) {
        for (VerdictGroup seat : seats) {
            if (verdictGroup.equals(seat)) {
                return true;
            }
        }
        return false;
    }

    /** Makes slots for the rules of another profile; the pod is in no group. */
    public final void makeSlots(int size) {
        if (seats.length != size) {
            seats = size == 0 ? NO_SEATS : new @Nullable VerdictGroup[size];
            places = size == 0 ? NO_PLACES : new int[size];
        }
    }

    /** Puts the pod into the group of one of its rules. */
    public final void sit(int slot, @Nullable VerdictGroup verdictGroup) {
        seats[slot] = verdictGroup;
        if (verdictGroup != null) {
            places[slot] = verdictGroup.add(this, slot);
        }
    }

    /** Takes the pod out of the group of one of its rules. */
    public final void rise(int slot) {
        VerdictGroup seat = seats[slot];
        if (seat != null) {
            seats[slot] = null;
            seat.remove(places[slot]);
        }
    }

    /**
     * Gives rules other slots; the pod stays in its groups.
     *
     * @param slots for each slot so far the new one; not read where the pod is in no group
     * @param size how many slots there are then
     */
    public final void moveTo(int[] slots, int size) {
        @Nullable VerdictGroup[] newSeats = size == 0 ? NO_SEATS : new @Nullable VerdictGroup[size];
        int[] newPlaces = size == 0 ? NO_PLACES : new int[size];
        for (int slot = 0; slot < seats.length; slot++) {
            VerdictGroup seat = seats[slot];
            if (seat != null) {
                int now = slots[slot];
                newSeats[now] = seat;
                newPlaces[now] = places[slot];
                if (now != slot) {
                    seat.moved(places[slot], now);
                }
            }
        }
        seats = newSeats;
        places = newPlaces;
    }

    /** Notes that the pod stands at another place of its group. */
    final void movedInGroup(int slot, int place) {
        places[slot] = place;
    }
}
