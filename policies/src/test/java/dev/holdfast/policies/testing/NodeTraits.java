package dev.holdfast.policies.testing;

import static dev.holdfast.policies.testing.Facts.labels;

import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Taint;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What is said of nodes. */
public final class NodeTraits {
    /** What pods may take of a node of which nothing else is said. */
    static final Resources ROOM = new Resources(32_000, 256L << 30, 100L << 30, 110, Map.of());

    private NodeTraits() {}

    /** {@return the label of {@link Facts#ZONE}} */
    public static NodeTrait zone(String zone) {
        return labels(Facts.ZONE, zone);
    }

    /** {@return the label of {@link Facts#RACK}} */
    public static NodeTrait rack(String rack) {
        return labels(Facts.RACK, rack);
    }

    /** {@return the label of {@link Facts#HOSTNAME}} */
    public static NodeTrait hostname(String hostname) {
        return labels(Facts.HOSTNAME, hostname);
    }

    /** {@return a taint, after those already said} */
    public static NodeTrait tainted(String key, String value, String effect) {
        return node -> node.taints.add(new Taint(key, value, effect));
    }

    /** {@return having been told to go at this instant} */
    public static NodeTrait leavingSince(Instant deletionTime) {
        return node -> node.deletionTime = Optional.of(deletionTime);
    }

    /** {@return having become Ready, or ceased to be, at an instant} */
    public static NodeTrait readyChanged(Instant at) {
        return node -> node.readyChanged = Optional.of(at);
    }

    /** {@return having been created at an instant, which is not said of when it became Ready} */
    public static NodeTrait createdAt(Instant at) {
        return node -> node.creationTime = at;
    }

    /** {@return what pods may take of it in all} */
    public static NodeTrait allocatable(Resources allocatable) {
        return node -> node.allocatable = allocatable;
    }

    /** {@return being cordoned, without the taint that a controller would add} */
    public static NodeTrait cordoned() {
        return node -> node.unschedulable = true;
    }
}
