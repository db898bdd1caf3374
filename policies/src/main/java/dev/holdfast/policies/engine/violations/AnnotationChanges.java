package dev.holdfast.policies.engine.violations;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.KeepAnnotations;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Finds the pods that are affected when the Holdfast annotations of a pod, an owner or a namespace change. */
public final class AnnotationChanges {
    private final LiveCluster cluster;
    private final Readiness readiness;

    public AnnotationChanges(LiveCluster cluster, Readiness readiness) {
        this.cluster = cluster;
        this.readiness = readiness;
    }

    /**
     * A change of Holdfast annotations.
     *
     * @param affected finds the pods that the change affects, once the change is applied to the cluster state
     * @param releases whether the earlier annotations protected these pods for longer than the new ones
     */
    public record Change(Supplier<Collection<Pod>> affected, boolean releases) {
        /** {@return the pods that the change affects} */
        Collection<Pod> pods() {
            return affected.get();
        }
    }

    /**
     * {@return the change of Holdfast annotations by an event; empty if none of them changes} A changed pod affects
     * only itself, a changed owner the pods below it, and a changed namespace its pods. Must be called before the
     * change is applied to the cluster state.
     *
     * @param before the pod before the change; absent if the change is of another object, or if the pod is new
     */
    public Optional<Change> of(ClusterEvent fact, Optional<Pod> before, Instant now) {
        return switch (fact) {
            case ClusterEvent.PodChanged(Pod pod) ->
                before.flatMap(it -> change(annotations(it), annotations(pod), () -> List.of(pod), now));
            case ClusterEvent.OwnerChanged(Owner owner) ->
                KeepAnnotations.hasCopies(owner, cluster)
                        ? Optional.empty()
                        : change(
                                marksOfOwner(owner),
                                owner.disruptionAnnotations(),
                                () -> cluster.podsBelow(owner),
                                now);
            case ClusterEvent.NamespaceChanged(Namespace namespace) ->
                change(
                        marksOfNamespace(namespace.name()),
                        namespace.disruptionAnnotations(),
                        () -> cluster.podsIn(namespace.name()),
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
            Supplier<Collection<Pod>> affected,
            Instant now) {
        return after.requestsSame(before)
                ? Optional.empty()
                : Optional.of(new Change(
                        affected,
                        after.allowMoreThan(before, readiness.wallClock().certainWallTime(now))));
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
}
