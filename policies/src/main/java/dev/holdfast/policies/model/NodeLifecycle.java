package dev.holdfast.policies.model;

import java.time.Instant;
import java.util.Optional;

/**
 * Readiness, creation and deletion of a node. Times are by the API server's clock, in whole seconds.
 *
 * @param ready whether the condition {@code Ready} is true
 * @param readyChanged when that condition last changed; absent if the node does not report it
 * @param deletionTime when its deletion was requested; if present, the node is removed after its last finalizer
 */
public record NodeLifecycle(
        boolean ready, Optional<Instant> readyChanged, Instant creationTime, Optional<Instant> deletionTime) {
    /** {@return since when a Ready node has been Ready; its creation time if no condition gives the time} */
    public Instant readySince() {
        return readyChanged.orElse(creationTime);
    }
}
