package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A pod as the index keeps it: where it is listed, so that it can be taken out without a search. */
final class PodEntry {
    static final @Nullable Group[] NO_SEATS = new @Nullable Group[0];
    static final int[] NO_PLACES = new int[0];

    /** Kept, since the UID itself lies two objects further. */
    final int uidHash;

    Pod pod;
    Variant variant;
    int placeInVariant;

    /** Absent while the pod is bound to no node. */
    @Nullable
    NodeEntry node;

    int placeOnNode;

    /** Only of a pod with anti-affinity of its own: whom it keeps out together with others. */
    Repellers.@Nullable Repeller repeller;

    int placeAmongRepellers;

    Profile profile = Profile.NONE;

    /** By rule of the profile: with whom the pod shares the verdict; absent where nothing can break it. */
    @Nullable
    Group[] seats = NO_SEATS;

    /** By rule of the profile: the pod's place in its group. */
    int[] places = NO_PLACES;

    /** Whether the pod is in the counts of the rules that match it. */
    boolean counted;

    PodEntry(Pod pod, Variant variant) {
        this.uidHash = pod.uid().hashCode();
        this.pod = pod;
        this.variant = variant;
    }

    /** {@return the node the pod counts on (W-1 to W-3)} */
    Optional<Node> countsOn() {
        return node != null && pod.counts() ? node.node() : Optional.empty();
    }

    /** {@return the node on which the pod's rules are judged } */
    Optional<Node> judgedOn() {
        return pod.terminating() ? Optional.empty() : countsOn();
    }

    /** {@return whether the rule is Violated for the pod} */
    boolean broken(int slot) {
        Group seat = seats[slot];
        return seat != null && seat.broken;
    }

    /** Puts the pod into the group of one of its rules. */
    void sit(int slot, @Nullable Group group) {
        seats[slot] = group;
        if (group != null) {
            places[slot] = group.add(this, slot);
        }
    }

    /** Takes another profile, and the seats along for the rules that are in both. */
    void take(ProfileChange to) {
        Profile after = to.after();
        @Nullable Group[] newSeats = after.size() == 0 ? NO_SEATS : new @Nullable Group[after.size()];
        int[] newPlaces = after.size() == 0 ? NO_PLACES : new int[after.size()];
        for (int slot = 0; slot < seats.length; slot++) {
            Group seat = seats[slot];
            if (seat != null) {
                int now = to.slot(slot);
                newSeats[now] = seat;
                newPlaces[now] = places[slot];
                if (now != slot) {
                    seat.moved(places[slot], now);
                }
            }
        }
        profile = after;
        seats = newSeats;
        places = newPlaces;
    }

    /** Takes the pod out of the group of one of its rules. */
    void rise(int slot) {
        Group seat = seats[slot];
        if (seat != null) {
            seats[slot] = null;
            seat.remove(places[slot]);
        }
    }
}
