package dev.holdfast.operator.simulate;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;

/**
 * Chooses nodes for pods: one that the scheduler's filters accept. The scheduler's scores are not simulated: of these nodes
 * the one with the fewest pods of the same controller is chosen, then the one with the fewest pods.
 */
final class SimulatedScheduler {
    private final LiveCluster cluster;
    private final SchedulerFilters filters;

    SimulatedScheduler(LiveCluster cluster, Function<NamespacedName, ClaimedVolume> volumes) {
        this.cluster = cluster;
        this.filters = new SchedulerFilters(cluster.index(), cluster.resourceFit(), volumes);
    }

    /** {@return the node for a pod; empty if no node takes it} */
    Optional<Node> nodeFor(Pod pod) {
        NodeRejection rejection = filters.rejection(pod);
        return cluster.nodes().stream()
                .filter(node -> rejection.to(node).isEmpty())
                .min(Comparator.comparingLong((Node node) -> alike(pod, node))
                        .thenComparingInt(node -> cluster.podsOn(node.name()).size())
                        .thenComparing(Node::name));
    }

    /** {@return why no node takes a pod} */
    String why(Pod pod) {
        return filters.why(pod, cluster.nodes());
    }

    private long alike(Pod pod, Node node) {
        return cluster.podsOn(node.name()).stream()
                .filter(other -> other.victimProtection()
                        .controller()
                        .equals(pod.victimProtection().controller()))
                .count();
    }
}
