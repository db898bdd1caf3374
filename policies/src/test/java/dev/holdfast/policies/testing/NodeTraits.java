package dev.holdfast.policies.testing;

import static dev.holdfast.policies.testing.Facts.labels;

import dev.holdfast.policies.model.Taint;
import java.time.Instant;
import java.util.Optional;

/** What is said of nodes. */
public final class NodeTraits {
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

    /** {@return being cordoned, without the taint that a controller would add} */
    public static NodeTrait cordoned() {
        return node -> node.unschedulable = true;
    }
}
