package dev.holdfast.operator.simulate;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

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
        NodeRejection rejection = rejection(pod);
        return cluster.nodes().stream()
                .filter(node -> rejection.to(node).isEmpty())
                .min(Comparator.comparingLong((Node node) -> alike(pod, node))
                        .thenComparingInt(node -> cluster.podsOn(node.name()).size())
                        .thenComparing(Node::name));
    }

    private NodeRejection rejection(Pod pod) {
        return filters.of(pod, List.of()).values().stream().reduce(NodeRejection.NONE, NodeRejection::or);
    }

    /** {@return why no node takes a pod: {@code 3 nodes: 2 against its rules, 1 cordoned or tainted}} */
    String why(Pod pod) {
        NodeRejection rejection = rejection(pod);
        Map<String, Long> counts = cluster.nodes().stream()
                .flatMap(node -> rejection.to(node).stream())
                .collect(Collectors.groupingBy(why -> why, TreeMap::new, Collectors.counting()));
        return cluster.nodes().size()
                + (cluster.nodes().size() == 1 ? " node: " : " nodes: ")
                + counts.entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .map(one -> one.getValue() + " " + one.getKey())
                        .collect(Collectors.joining(", "));
    }

    private long alike(Pod pod, Node node) {
        return cluster.podsOn(node.name()).stream()
                .filter(other -> other.victimProtection()
                        .controller()
                        .equals(pod.victimProtection().controller()))
                .count();
    }
}
