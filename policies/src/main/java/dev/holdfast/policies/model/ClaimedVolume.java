package dev.holdfast.policies.model;

import java.util.Optional;

/** The volume of a PersistentVolumeClaim, as far as the operator could read it. */
public sealed interface ClaimedVolume {
    /**
     * The claim is bound.
     *
     * @param volume the name of the PersistentVolume
     * @param nodes the node affinity of the PersistentVolume; absent if the volume can be used on every node
     */
    record Bound(String volume, Optional<NodeSelector> nodes) implements ClaimedVolume {}

    /** The claim of an ephemeral volume. It is deleted with its pod, and a replacement pod gets a new claim. */
    record Ephemeral() implements ClaimedVolume {}

    /**
     * The operator could not read on which nodes the volume can be used.
     *
     * @param why the reason, as text for messages
     */
    record Unreadable(String why) implements ClaimedVolume {}
}
