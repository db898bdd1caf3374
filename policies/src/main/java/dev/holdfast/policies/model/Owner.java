package dev.holdfast.policies.model;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A workload object: a Deployment, ReplicaSet, StatefulSet or Job.
 *
 * @param controller the controller of this object: the Deployment of a ReplicaSet, the CronJob of a Job; absent if it
 *     has none
 * @param replicas the desired number of pods; absent for a kind without such a field, for example a Job
 * @param disruptionAnnotations the annotations of this object that restrict evictions of its pods
 * @param revisions from which revision the object makes new pods; absent for all kinds but StatefulSets
 */
public record Owner(
        String uid,
        String kind,
        NamespacedName name,
        Optional<Controller> controller,
        OptionalInt replicas,
        DisruptionAnnotations disruptionAnnotations,
        Optional<StatefulSetRevisions> revisions) {
    /** An owner that is no StatefulSet. */
    public Owner(
            String uid,
            String kind,
            NamespacedName name,
            Optional<Controller> controller,
            OptionalInt replicas,
            DisruptionAnnotations disruptionAnnotations) {
        this(uid, kind, name, controller, replicas, disruptionAnnotations, Optional.empty());
    }

    /** An owner without disruption annotations. */
    public Owner(String uid, String kind, NamespacedName name, Optional<Controller> controller, OptionalInt replicas) {
        this(uid, kind, name, controller, replicas, DisruptionAnnotations.none());
    }

    /** {@return the same owner with another UID} */
    public Owner withUid(String other) {
        return new Owner(other, kind, name, controller, replicas, disruptionAnnotations, revisions);
    }

    /** {@return the same owner with another desired number of pods} */
    public Owner withReplicas(int desired) {
        return new Owner(uid, kind, name, controller, OptionalInt.of(desired), disruptionAnnotations, revisions);
    }

    /** {@return the same StatefulSet with other revisions} */
    public Owner withRevisions(StatefulSetRevisions others) {
        return new Owner(uid, kind, name, controller, replicas, disruptionAnnotations, Optional.of(others));
    }
}
