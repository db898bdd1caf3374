package dev.holdfast.policies.forgive;

import java.util.BitSet;

/**
 * The parts in which clocks are stored, so that a change of one clock does not write all of them. A pod's clocks are in
 * one part. Records which parts have changed since they were last stored. Owned by one thread.
 */
public final class ClockShards {
    /** The number of parts, which belongs to the stored format. */
    public static final int NUMBER = 5;

    private final BitSet changed = new BitSet(NUMBER);

    /** {@return the part that has the clocks of a pod, from 0 on} */
    public static int of(String podUid) {
        return Math.floorMod(podUid.hashCode(), NUMBER);
    }

    /** Records that a clock began, ended or counts from another instant. */
    public void changed(ViolationKey key) {
        changed(of(key.podUid()));
    }

    /** Records that a part must be stored again. */
    public void changed(int shard) {
        changed.set(shard);
    }

    /** Records that all parts must be stored again. */
    public void allChanged() {
        changed.set(0, NUMBER);
    }

    /** {@return whether a part has changed since it was last stored} */
    public boolean isChanged(int shard) {
        return changed.get(shard);
    }

    /** {@return whether any part has changed since it was last stored} */
    public boolean isAnyChanged() {
        return !changed.isEmpty();
    }

    /** Records that a part is being stored as it is now. */
    public void stored(int shard) {
        changed.clear(shard);
    }
}
