package dev.holdfast.policies.model;

import java.util.Optional;

/** What was read of the volume behind a PersistentVolumeClaim. */
public sealed interface ClaimedVolume {
    /**
     * The claim is bound.
     *
     * @param volume the name of the PersistentVolume
     * @param nodes those on which it can be used; absent where it says nothing of that
     */
    record Bound(String volume, Optional<NodeSelector> nodes) implements ClaimedVolume {}

    /** The claim was made for its pod alone and goes with it: a replacement gets another. */
    record OfItsPod() implements ClaimedVolume {}

    /**
     * Where it can be used is not known.
     *
     * @param why in words
     */
    record Unreadable(String why) implements ClaimedVolume {}
}
