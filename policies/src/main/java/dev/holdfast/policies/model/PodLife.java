package dev.holdfast.policies.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Where a pod is in its life.
 *
 * @param ready whether the condition {@code Ready} is true
 * @param creationTime by the API server's clock, which tells seconds; what is finer is dropped
 * @param deletionTime when its deletion was asked for plus its grace period; present means terminating
 */
public record PodLife(Phase phase, boolean ready, Instant creationTime, Optional<Instant> deletionTime) {
    public PodLife {
        creationTime = creationTime.truncatedTo(ChronoUnit.SECONDS);
    }
}
