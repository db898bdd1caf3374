package dev.holdfast.policies.model;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A workload object: a Deployment, ReplicaSet, StatefulSet or Job.
 *
 * @param controller the controller of this object: the Deployment of a ReplicaSet, the CronJob of a Job; absent if it
 *     has none
 * @param replicas the desired number of pods; absent for a kind without such a field, for example a Job. Of a
 *     Deployment, these are the pods of all its ReplicaSets
 * @param disruptionAnnotations the annotations of this object that restrict evictions of its pods
 * @param revisions from which revision the object makes new pods; absent for all kinds but StatefulSets
 * @param podCreation whether and how the object replaces pods
 */
public record Owner(
        String uid,
        String kind,
        NamespacedName name,
        Optional<Controller> controller,
        OptionalInt replicas,
        DisruptionAnnotations disruptionAnnotations,
        Optional<StatefulSetRevisions> revisions,
        PodCreation podCreation) {
    /** An owner that replaces each pod at once. */
    public Owner(
            String uid,
            String kind,
            NamespacedName name,
            Optional<Controller> controller,
            OptionalInt replicas,
            DisruptionAnnotations disruptionAnnotations,
            Optional<StatefulSetRevisions> revisions) {
        this(uid, kind, name, controller, replicas, disruptionAnnotations, revisions, PodCreation.atOnce());
    }

    /** An owner that is no StatefulSet and replaces each pod at once. */
    public Owner(
            String uid,
            String kind,
            NamespacedName name,
            Optional<Controller> controller,
            OptionalInt replicas,
            DisruptionAnnotations disruptionAnnotations) {
        this(uid, kind, name, controller, replicas, disruptionAnnotations, Optional.empty(), PodCreation.atOnce());
    }

    /** An owner without disruption annotations. */
    public Owner(String uid, String kind, NamespacedName name, Optional<Controller> controller, OptionalInt replicas) {
        this(uid, kind, name, controller, replicas, DisruptionAnnotations.none());
    }

    /**
     * {@return the number of pods that the object itself should control} The number is 0 for a Deployment, whose
     * ReplicaSets control the pods, and for a kind without replicas.
     */
    public int directReplicas() {
        return kind.equals("Deployment") ? 0 : replicas.orElse(0);
    }

    /** {@return the same owner with another UID} */
    public Owner withUid(String other) {
        return new Owner(other, kind, name, controller, replicas, disruptionAnnotations, revisions, podCreation);
    }

    /** {@return the same owner with another desired number of pods} */
    public Owner withReplicas(int desired) {
        return new Owner(
                uid, kind, name, controller, OptionalInt.of(desired), disruptionAnnotations, revisions, podCreation);
    }

    /** {@return the same StatefulSet with other revisions} */
    public Owner withRevisions(StatefulSetRevisions others) {
        return new Owner(
                uid, kind, name, controller, replicas, disruptionAnnotations, Optional.of(others), podCreation);
    }

    /** {@return the same owner, which creates its pods in another way} */
    public Owner with(PodCreation other) {
        return new Owner(uid, kind, name, controller, replicas, disruptionAnnotations, revisions, other);
    }

    /** {@return why the API server refuses new pods of a ReplicaSet, as its controller says; empty if none are} */
    public Optional<String> replicaFailure() {
        return podCreation.refused();
    }

    /** {@return the same owner, whose new pods the API server refuses with this message; empty if it refuses none} */
    public Owner withReplicaFailure(Optional<String> message) {
        return with(podCreation.withRefused(message));
    }
}
