package dev.holdfast.policies.model;

import java.time.Instant;
import java.util.Optional;

/**
 * Readiness, creation and deletion of a node. Times are by the API server's clock, in whole seconds.
 *
 * @param ready whether the condition {@code Ready} is true
 * @param readyChanged when the condition {@code Ready} last changed; absent if the node does not report that time
 * @param deletionTime when the deletion of the node was requested; absent if it was not. The node remains until its
 *     last finalizer is removed
 */
public record NodeLifecycle(
        boolean ready, Optional<Instant> readyChanged, Instant creationTime, Optional<Instant> deletionTime) {
    /** {@return since when a Ready node has been Ready; its creation time if {@code readyChanged} is absent} */
    public Instant readySince() {
        return readyChanged.orElse(creationTime);
    }
}
