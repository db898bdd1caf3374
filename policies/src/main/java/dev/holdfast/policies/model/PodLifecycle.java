package dev.holdfast.policies.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Where a pod is in its life. Times are by the API server's clock, which tells seconds; what is finer is dropped from
 * those of creation and binding.
 *
 * @param ready whether the condition {@code Ready} is true
 * @param boundTime when it was bound to its node: since when the condition {@code PodScheduled} has been true; its
 *     creation where nothing says so
 * @param deletionTime when its deletion was asked for plus its grace period; present means terminating
 * @param beingDisrupted whether the condition {@code DisruptionTarget} is true: somebody is about to remove it
 */
public record PodLifecycle(
        Phase phase,
        boolean ready,
        Instant creationTime,
        Instant boundTime,
        Optional<Instant> deletionTime,
        boolean beingDisrupted) {
    public PodLifecycle {
        creationTime = creationTime.truncatedTo(ChronoUnit.SECONDS);
        boundTime = boundTime.truncatedTo(ChronoUnit.SECONDS);
    }
}
