package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.memory.Readiness;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.conduct.KeepAnnotations;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds the pods that are affected when the Holdfast annotations of a pod, an owner or a namespace change. */
final class AnnotationChanges {
    private final ClusterView cluster;
    private final Readiness readiness;

    AnnotationChanges(ClusterView cluster, Readiness readiness) {
        this.cluster = cluster;
        this.readiness = readiness;
    }

    /**
     * A change of Holdfast annotations.
     *
     * @param concerned a test for the pods that the change may affect
     * @param released a test for the pods that the earlier annotations protected for longer than the new ones
     */
    record Change(Predicate<Pod> concerned, Predicate<Pod> released) {}

    /**
     * {@return the change of Holdfast annotations by an event; empty if none of them changes} A changed pod affects
     * only itself. A changed owner or namespace may affect all pods of its namespace. Must be called before the change
     * is applied to the cluster state.
     *
     * @param before the pod before the change; absent if the change is of another object, or if the pod is new
     */
    Optional<Change> of(ClusterEvent fact, Optional<Pod> before, Instant now) {
        return switch (fact) {
            case ClusterEvent.PodChanged(Pod pod) ->
                before.flatMap(it -> change(
                        annotations(it), annotations(pod), other -> other.uid().equals(pod.uid()), _ -> true, now));
            case ClusterEvent.OwnerChanged(Owner owner) ->
                KeepAnnotations.hasCopies(owner, cluster)
                        ? Optional.empty()
                        : change(
                                marksOfOwner(owner),
                                owner.disruptionAnnotations(),
                                in(owner.name().namespace()),
                                pod -> KeepAnnotations.isAbove(owner, pod, cluster),
                                now);
            case ClusterEvent.NamespaceChanged(Namespace namespace) ->
                change(
                        marksOfNamespace(namespace.name()),
                        namespace.disruptionAnnotations(),
                        in(namespace.name()),
                        _ -> true,
                        now);
            case ClusterEvent.PodGone _,
                    ClusterEvent.NamespaceGone _,
                    ClusterEvent.OwnerGone _,
                    ClusterEvent.OfNode _,
                    ClusterEvent.OfBudget _,
                    ClusterEvent.OfCapacity _ -> Optional.empty();
        };
    }

    private Optional<Change> change(
            DisruptionAnnotations before,
            DisruptionAnnotations after,
            Predicate<Pod> concerned,
            Predicate<Pod> covered,
            Instant now) {
        return after.requestsSame(before)
                ? Optional.empty()
                : Optional.of(new Change(
                        concerned,
                        after.allowMoreThan(before, readiness.wallClock().certainWallTime(now))
                                ? covered
                                : _ -> false));
    }

    private static DisruptionAnnotations annotations(Pod pod) {
        return pod.victimProtection().disruptionAnnotations();
    }

    private DisruptionAnnotations marksOfOwner(Owner owner) {
        return cluster.owner(owner.name().namespace(), owner.uid())
                .map(Owner::disruptionAnnotations)
                .orElse(DisruptionAnnotations.none());
    }

    private DisruptionAnnotations marksOfNamespace(String name) {
        return cluster.namespace(name).map(Namespace::disruptionAnnotations).orElse(DisruptionAnnotations.none());
    }

    private static Predicate<Pod> in(String namespace) {
        return pod -> pod.namespace().equals(namespace);
    }
}
