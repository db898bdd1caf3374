package dev.holdfast.policies.model;

import java.util.Optional;

/**
 * Whether and in which order a workload object creates pods in place of those that are gone.
 *
 * @param deleted whether the deletion of the object was requested
 * @param suspended whether the object creates no pods for now: {@code suspend} of a Job. A Deployment that is paused
 *     goes on to replace pods
 * @param orderedReady whether the object creates a pod only while all pods of lower ordinals are Ready: a StatefulSet
 *     without {@code podManagementPolicy: Parallel}
 * @param refused the message of the condition {@code ReplicaFailure} if the API server refuses new pods of a
 *     ReplicaSet; absent if the condition is not true, and for all other kinds
 * @param template the template of the pods; absent for an object without pods of its own (of 0 replicas, or a
 *     Deployment) and for an object without a template, for example in a file
 */
public record PodCreation(
        boolean deleted,
        boolean suspended,
        boolean orderedReady,
        Optional<String> refused,
        Optional<PodTemplate> template) {
    private static final PodCreation AT_ONCE = new PodCreation(false, false, false);

    /** Creates the value for new pods that the API server accepts, and that are like those they replace. */
    public PodCreation(boolean deleted, boolean suspended, boolean orderedReady) {
        this(deleted, suspended, orderedReady, Optional.empty(), Optional.empty());
    }

    /** {@return creation of each missing pod at once} */
    public static PodCreation atOnce() {
        return AT_ONCE;
    }

    /** {@return a copy whose pods the API server refuses with this message; empty if it refuses none} */
    PodCreation withRefused(Optional<String> message) {
        return new PodCreation(deleted, suspended, orderedReady, message, template);
    }

    /** {@return a copy that makes pods from this template} */
    public PodCreation withTemplate(PodTemplate other) {
        return new PodCreation(deleted, suspended, orderedReady, refused, Optional.of(other));
    }
}
