package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.operator.offline.waiting.SchedulerFilters;
import dev.holdfast.operator.offline.waiting.Waiting;
import dev.holdfast.operator.offline.waiting.WaitingReasons;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodTemplate;
import dev.holdfast.policies.rule.Rule;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Chooses nodes for pods: one that the scheduler's filters accept. Of the scheduler's scores, only those of injected
 * rules are simulated. Then the node with the fewest pods of the same controller is chosen, then the one with the
 * fewest pods.
 */
final class SimulatedScheduler {
    private final LiveCluster cluster;
    private final SchedulerFilters filters;

    SimulatedScheduler(LiveCluster cluster, Function<NamespacedName, ClaimedVolume> volumes) {
        this.cluster = cluster;
        this.filters = new SchedulerFilters(cluster.index(), cluster.resourceFit(), volumes);
    }

    /**
     * {@return the node for a pod; empty if no node takes it, and for a pod with scheduling gates, which waits until
     * something removes them}
     *
     * @param preferred the rules that the pod prefers; of the nodes that take it, those that satisfy most come first
     */
    Optional<Node> nodeFor(Pod pod, List<Rule> preferred) {
        Optional<String> named = templateOf(pod).flatMap(PodTemplate::nodeName);
        return isGated(pod)
                ? Optional.empty()
                : named.isPresent() ? named.flatMap(cluster::node) : chosen(pod, preferred);
    }

    private boolean isGated(Pod pod) {
        return pod.victimProtection().scheduler().gated()
                || templateOf(pod).filter(PodTemplate::gated).isPresent();
    }

    private Optional<PodTemplate> templateOf(Pod pod) {
        return pod.victimProtection()
                .controller()
                .flatMap(it -> cluster.owner(pod.namespace(), it.uid()))
                .flatMap(owner -> owner.podCreation().template());
    }

    private Optional<Node> chosen(Pod pod, List<Rule> preferred) {
        NodeRejection rejection = filters.rejection(pod);
        List<NodeFilter> wanted = preferred.stream()
                .map(rule -> Evaluator.prepare(rule, pod, cluster.index().view()))
                .toList();
        ToLongFunction<Node> alike = alike(pod);
        Optional<Seat> best = Optional.empty();
        for (Node node : cluster.nodes()) {
            Seat seat = new Seat(
                    node,
                    broken(wanted, node),
                    alike.applyAsLong(node),
                    cluster.podsOn(node.name()).size());
            // The filters cost more than the order, so they are asked only about nodes that are better.
            if (best.filter(it -> it.compareTo(seat) <= 0).isEmpty()
                    && rejection.to(node).isEmpty()) {
                best = Optional.of(seat);
            }
        }
        return best.map(Seat::node);
    }

    /**
     * A node with what decides between nodes that take a pod.
     *
     * @param broken how many of the preferred rules it breaks
     * @param alike how many pods of the same controller it has
     * @param pods how many pods it has
     */
    private record Seat(Node node, long broken, long alike, int pods) implements Comparable<Seat> {
        private static final Comparator<Seat> ORDER = Comparator.comparingLong(Seat::broken)
                .thenComparingLong(Seat::alike)
                .thenComparingInt(Seat::pods)
                .thenComparing(seat -> seat.node.name());

        @Override
        public int compareTo(Seat other) {
            return ORDER.compare(this, other);
        }
    }

    private static long broken(List<NodeFilter> wanted, Node node) {
        return wanted.stream().filter(rule -> !rule.accepts(node)).count();
    }

    /** {@return why a pod has no node now} */
    Waiting why(Pod pod) {
        Optional<String> gone = templateOf(pod)
                .flatMap(PodTemplate::nodeName)
                .filter(node -> cluster.node(node).isEmpty());
        return isGated(pod)
                ? Waiting.GATED
                : gone.map(node -> new Waiting(
                                Waiting.State.NO_NODE,
                                "the pod template names node " + node + " (spec.nodeName), which does not exist"))
                        .orElseGet(() -> new WaitingReasons(cluster, filters).of(pod));
    }

    /** {@return how many pods of the controller of a pod a node has; of a pod without one, 0 for each node} */
    private ToLongFunction<Node> alike(Pod pod) {
        Map<String, Long> byNode = pod.victimProtection()
                .controller()
                .map(controller -> cluster.podsControlledBy(controller.uid()).stream()
                        .flatMap(other -> other.nodeName().stream())
                        .collect(Collectors.groupingBy(node -> node, Collectors.counting())))
                .orElse(Map.of());
        return node -> byNode.getOrDefault(node.name(), 0L);
    }
}
