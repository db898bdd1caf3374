package dev.holdfast.policies.engine;

import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.PodTraits.bound;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.like;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.unbound;

import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A minimal scheduler: it places a pod on a Ready node that fits, in the zone with the fewest similar pods. */
final class TestScheduler {
    private TestScheduler() {}

    /** {@return the event that a pod similar to another one is created, bound if any node would take it} */
    static ClusterEvent place(String name, Pod other, ReferenceCluster referenceCluster, Instant now) {
        PodTrait[] waiting = {like(other), created(now), bound(now), unbound()};
        Pod pod = Facts.pod(name, waiting);
        Optional<Node> best = Placement.fits(pod, List.of(), referenceCluster).stream()
                .filter(Node::ready)
                .min(Comparator.comparingLong((Node node) -> inZoneOf(node, pod, referenceCluster))
                        .thenComparingLong(
                                node -> referenceCluster.podsOn(node.name()).size()));
        return best.map(node -> podChanged(name, like(pod), on(node.name())))
                .orElseGet(() -> podChanged(name, waiting));
    }

    private static long inZoneOf(Node node, Pod pod, ReferenceCluster referenceCluster) {
        return referenceCluster.podsIn(pod.namespace()).stream()
                .filter(other -> other.labels().equals(pod.labels()))
                .flatMap(other -> referenceCluster.countedNode(other).stream())
                .filter(it -> it.labels().get(Facts.ZONE).equals(node.labels().get(Facts.ZONE)))
                .count();
    }
}
