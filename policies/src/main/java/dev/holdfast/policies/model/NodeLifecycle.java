package dev.holdfast.policies.model;

import java.time.Instant;
import java.util.Optional;

/**
 * Readiness, creation, deletion and life-cycle condition of a node. Times are by the API server's clock, in whole
 * seconds.
 *
 * @param ready whether the condition {@code Ready} is true
 * @param readyChanged when the condition {@code Ready} last changed; absent if the node does not report that time
 * @param deletionTime when the deletion of the node was requested; absent if it was not. The node remains until its
 *     last finalizer is removed
 * @param condition the life-cycle condition of the node; of several, the first in the order of {@link Condition}
 */
public record NodeLifecycle(
        boolean ready,
        Optional<Instant> readyChanged,
        Instant creationTime,
        Optional<Instant> deletionTime,
        Condition condition) {

    /** Creates the life-cycle of a node without a life-cycle condition. */
    public NodeLifecycle(
            boolean ready, Optional<Instant> readyChanged, Instant creationTime, Optional<Instant> deletionTime) {
        this(ready, readyChanged, creationTime, deletionTime, Condition.NONE);
    }

    /** {@return since when a Ready node has been Ready; its creation time if {@code readyChanged} is absent} */
    public Instant readySince() {
        return readyChanged.orElse(creationTime);
    }

    /**
     * A node condition by which an administrator announces a shutdown, a drain or maintenance (KEP-5683). Kubernetes
     * 1.37 names these conditions, and older versions accept them too.
     */
    public enum Condition {
        /** The kubelet shuts the node down and ends its pods. */
        GRACEFUL_NODE_SHUTDOWN_IN_PROGRESS("GracefulNodeShutdownInProgress", true),
        /** The administrator is draining the node. */
        DRAIN_IN_PROGRESS("DrainInProgress", true),
        /** The administrator has drained the node. */
        DRAINED("Drained", true),
        /** Maintenance of the node has begun. */
        MAINTENANCE_IN_PROGRESS("MaintenanceInProgress", true),
        /** Maintenance of the node is planned, and its pods may stay until it begins. */
        MAINTENANCE_PLANNED("MaintenancePlanned", false),
        /** None of these conditions is true, but the status of at least one is neither True nor False. */
        UNKNOWN("Unknown", false),
        /** All of these conditions are absent or false. */
        NONE("None", false);

        private final String type;
        private final boolean leaving;

        Condition(String type, boolean leaving) {
            this.type = type;
            this.leaving = leaving;
        }

        /** {@return the type of the condition, for example {@code Drained}} */
        public String type() {
            return type;
        }

        /** {@return whether the condition says that the pods leave the node, or have left it} */
        public boolean leaving() {
            return leaving;
        }
    }
}
