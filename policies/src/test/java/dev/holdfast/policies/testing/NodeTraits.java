package dev.holdfast.policies.testing;

import static dev.holdfast.policies.testing.Facts.labels;

import dev.holdfast.policies.model.NodeLifecycle;
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

    /** {@return the trait of a label with the key {@link Facts#ZONE}} */
    public static NodeTrait zone(String zone) {
        return labels(Facts.ZONE, zone);
    }

    /** {@return the trait of a label with the key {@link Facts#RACK}} */
    public static NodeTrait rack(String rack) {
        return labels(Facts.RACK, rack);
    }

    /** {@return the trait of a label with the key {@link Facts#HOSTNAME}} */
    public static NodeTrait hostname(String hostname) {
        return labels(Facts.HOSTNAME, hostname);
    }

    /** {@return the trait of one more taint, after those of earlier traits} */
    public static NodeTrait tainted(String key, String value, String effect) {
        return node -> node.taints.add(new Taint(key, value, effect));
    }

    /** {@return the trait that the node is being deleted, with this deletionTimestamp} */
    public static NodeTrait leavingSince(Instant deletionTime) {
        return node -> node.deletionTime = Optional.of(deletionTime);
    }

    /** {@return the trait of a life-cycle condition that is True, or unknown} */
    public static NodeTrait lifecycle(NodeLifecycle.Condition condition) {
        return node -> node.condition = condition;
    }

    /** {@return the trait that the condition {@code Ready} last changed at this instant} */
    public static NodeTrait readyChanged(Instant at) {
        return node -> node.readyChanged = Optional.of(at);
    }

    /** {@return the trait of a creation time; the time of the condition {@code Ready} stays as it is} */
    public static NodeTrait createdAt(Instant at) {
        return node -> node.creationTime = at;
    }

    /** {@return the trait of these allocatable resources} */
    public static NodeTrait allocatable(Resources allocatable) {
        return node -> node.allocatable = allocatable;
    }

    /** {@return the trait of a cordon, without the taint that the node lifecycle controller would add} */
    public static NodeTrait cordoned() {
        return node -> node.unschedulable = true;
    }
}
