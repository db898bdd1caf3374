package dev.holdfast.policies.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Phase, readiness and times of a pod. Times are by the API server's clock; creation and binding times are truncated to
 * seconds.
 *
 * @param ready whether the condition {@code Ready} is true
 * @param boundTime when the pod was bound to its node, as the condition {@code PodScheduled} says; the creation time of
 *     the pod if that condition is absent
 * @param deletionTime when the deletion of the pod was requested, plus the grace period; absent if the pod is not
 *     terminating
 * @param beingDisrupted whether the condition {@code DisruptionTarget} is true: a component is about to remove the pod
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
