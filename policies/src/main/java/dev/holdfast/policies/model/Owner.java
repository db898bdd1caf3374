package dev.holdfast.policies.model;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * An object that makes pods: a ReplicaSet, StatefulSet or Job.
 *
 * @param controller who controls it in turn: the Deployment of a ReplicaSet, the CronJob of a Job
 * @param replicas how many pods it wants; absent where the kind has no such number
 * @param disruptionAnnotations what its annotations ask for its pods
 */
public record Owner(
        String uid,
        String kind,
        NamespacedName name,
        Optional<Controller> controller,
        OptionalInt replicas,
        DisruptionAnnotations disruptionAnnotations) {
    /** An owner without annotations that ask for anything. */
    public Owner(String uid, String kind, NamespacedName name, Optional<Controller> controller, OptionalInt replicas) {
        this(uid, kind, name, controller, replicas, DisruptionAnnotations.none());
    }
}
