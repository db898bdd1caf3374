package dev.holdfast.policies.engine;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds the pods that are affected when the Holdfast annotations of a pod, an owner or a namespace change. */
final class AnnotationChanges {
    private final ClusterView cluster;

    AnnotationChanges(ClusterView cluster) {
        this.cluster = cluster;
    }

    /**
     * {@return a test for the pods that a change of Holdfast annotations affects; empty if none of these annotations
     * changes} A changed pod affects only itself. A changed owner or namespace affects all pods of its namespace. Must
     * be called before the change is applied to the cluster state.
     *
     * @param before the pod before the change; absent if the pod is new, or if the change is of an object other than a
     *     pod
     */
    Optional<Predicate<Pod>> concerned(ClusterEvent fact, Optional<Pod> before) {
        return switch (fact) {
            case ClusterEvent.PodChanged(Pod pod) ->
                before.isEmpty() || requestsSame(before.get(), pod)
                        ? Optional.empty()
                        : Optional.of(other -> other.uid().equals(pod.uid()));
            case ClusterEvent.OwnerChanged(Owner owner) ->
                Optional.of(owner.name().namespace())
                        .filter(_ -> !owner.disruptionAnnotations().requestsSame(marksOfOwner(owner.uid())))
                        .map(AnnotationChanges::in);
            case ClusterEvent.NamespaceChanged(Namespace namespace) ->
                Optional.of(namespace.name())
                        .filter(name -> !namespace.disruptionAnnotations().requestsSame(marksOfNamespace(name)))
                        .map(AnnotationChanges::in);
            case ClusterEvent.PodGone _,
                    ClusterEvent.NamespaceGone _,
                    ClusterEvent.OwnerGone _,
                    ClusterEvent.OfNode _,
                    ClusterEvent.OfBudget _ -> Optional.empty();
        };
    }

    private static boolean requestsSame(Pod before, Pod now) {
        return before.victimProtection()
                .disruptionAnnotations()
                .requestsSame(now.victimProtection().disruptionAnnotations());
    }

    private DisruptionAnnotations marksOfOwner(String uid) {
        return cluster.owner(uid).map(Owner::disruptionAnnotations).orElse(DisruptionAnnotations.none());
    }

    private DisruptionAnnotations marksOfNamespace(String name) {
        return cluster.namespace(name).map(Namespace::disruptionAnnotations).orElse(DisruptionAnnotations.none());
    }

    private static Predicate<Pod> in(String namespace) {
        return pod -> pod.namespace().equals(namespace);
    }
}
