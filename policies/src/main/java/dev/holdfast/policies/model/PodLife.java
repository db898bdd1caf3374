package dev.holdfast.policies.model;

import java.time.Instant;
import java.util.Optional;

/**
 * Where a pod is in its life.
 *
 * @param ready whether the condition {@code Ready} is true
 * @param creationTime by the API server's clock
 * @param deletionTime when its deletion was asked for plus its grace period; present means terminating
 */
public record PodLife(Phase phase, boolean ready, Instant creationTime, Optional<Instant> deletionTime) {
    /** {@return whether the pod has been told to go} */
    public boolean terminating() {
        return deletionTime.isPresent();
    }
}
