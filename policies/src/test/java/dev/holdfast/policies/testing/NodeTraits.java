package dev.holdfast.policies.testing;

import static dev.holdfast.policies.testing.Facts.labels;

import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Taint;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Traits of nodes in test clusters. */
public final class NodeTraits {
    /** The allocatable resources of a node without the trait {@link #allocatable}. */
    static final Resources ROOM = new Resources(32_000, 256L << 30, 100L << 30, 110, Map.of());

    private NodeTraits() {}

    /** {@return the label {@link Facts#ZONE}} */
    public static NodeTrait zone(String zone) {
        return labels(Facts.ZONE, zone);
    }

    /** {@return the label {@link Facts#RACK}} */
    public static NodeTrait rack(String rack) {
        return labels(Facts.RACK, rack);
    }

    /** {@return the label {@link Facts#HOSTNAME}} */
    public static NodeTrait hostname(String hostname) {
        return labels(Facts.HOSTNAME, hostname);
    }

    /** {@return a further taint, after those of earlier traits} */
    public static NodeTrait tainted(String key, String value, String effect) {
        return node -> node.taints.add(new Taint(key, value, effect));
    }

    /** {@return the deletionTimestamp} */
    public static NodeTrait leavingSince(Instant deletionTime) {
        return node -> node.deletionTime = Optional.of(deletionTime);
    }

    /** {@return the instant at which the condition {@code Ready} last changed} */
    public static NodeTrait readyChanged(Instant at) {
        return node -> node.readyChanged = Optional.of(at);
    }

    /** {@return the creation time; it does not change the time of the condition {@code Ready}} */
    public static NodeTrait createdAt(Instant at) {
        return node -> node.creationTime = at;
    }

    /** {@return the allocatable resources} */
    public static NodeTrait allocatable(Resources allocatable) {
        return node -> node.allocatable = allocatable;
    }

    /** {@return cordoned, without the taint that the node lifecycle controller would add} */
    public static NodeTrait cordoned() {
        return node -> node.unschedulable = true;
    }
}
