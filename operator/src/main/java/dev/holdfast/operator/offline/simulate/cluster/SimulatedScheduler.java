package dev.holdfast.operator.offline.simulate.cluster;

import dev.holdfast.operator.offline.waiting.Refusals;
import dev.holdfast.operator.offline.waiting.SchedulerFilters;
import dev.holdfast.operator.offline.waiting.Waiting;
import dev.holdfast.operator.offline.waiting.WaitingReasons;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodTemplate;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses nodes for pods: one that the scheduler's filters accept. Of the scheduler's scores, only those of injected
 * rules are simulated. Then the node with the fewest pods of the same controller is chosen, then the one with the
 * fewest pods.
 */
final class SimulatedScheduler {
    private final LiveCluster cluster;
    private final Admission admission;
    private final SchedulerFilters filters;
    private final Refusals refusals;

    SimulatedScheduler(LiveCluster cluster, Function<NamespacedName, ClaimedVolume> volumes, Admission admission) {
        this.cluster = cluster;
        this.admission = admission;
        this.filters = new SchedulerFilters(cluster.index(), cluster.resourceFit(), volumes);
        this.refusals = new Refusals(cluster, filters);
    }

    /** Notes a change of the cluster, and the pod before it. */
    void changed(ClusterEvent event, Optional<Pod> before) {
        refusals.changed(event, before);
    }

    /** {@return how often a node was asked whether it takes a pod} */
    long questions() {
        return refusals.questions();
    }

    /**
     * {@return the node for a pod; empty if no node takes it, and for a pod with scheduling gates, which waits until
     * something removes them} Of the nodes that take it, those that satisfy most of the rules that it prefers come
     * first.
     */
    Optional<Node> nodeFor(Pod pod) {
        Optional<String> named = templateOf(pod).flatMap(PodTemplate::nodeName);
        return isGated(pod) ? Optional.empty() : named.isPresent() ? named.flatMap(cluster::node) : chosen(pod);
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

    private Optional<Node> chosen(Pod pod) {
        Refusals.Search search = refusals.search(pod);
        Seats seats = new Seats(pod);
        Optional<Seat> best = Optional.empty();
        for (Node node : search.nodes()) {
            // The filters cost more than the order, which a pod that no node takes does not need.
            if ((best.isEmpty() || seats.of(node).compareTo(best.get()) < 0) && search.accepts(node)) {
                best = Optional.of(seats.of(node));
            }
        }
        search.end();
        return best.map(Seat::node);
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

    /** The nodes for one pod, in the order in which they are chosen. It is prepared when a first node takes the pod. */
    private final class Seats {
        private final Pod pod;
        private @Nullable List<NodeFilter> wanted;
        private Map<String, Long> alike = Map.of();

        Seats(Pod pod) {
            this.pod = pod;
        }

        Seat of(Node node) {
            List<NodeFilter> prepared = wanted;
            if (prepared == null) {
                prepared = admission.preferences(pod, cluster).stream()
                        .map(rule ->
                                Evaluator.prepare(rule, pod, cluster.index().view()))
                        .toList();
                wanted = prepared;
                alike = alike();
            }
            long broken = prepared.stream().filter(rule -> !rule.accepts(node)).count();
            return new Seat(node, broken, alike.getOrDefault(node.name(), 0L), cluster.podsOn(node.name()));
        }

        /** {@return how many pods of the controller each node has; nothing for a pod without one} */
        private Map<String, Long> alike() {
            return pod.victimProtection()
                    .controller()
                    .map(controller -> cluster.podsControlledBy(controller.uid()).stream()
                            .flatMap(other -> other.nodeName().stream())
                            .collect(Collectors.groupingBy(node -> node, Collectors.counting())))
                    .orElse(Map.of());
        }
    }

    /**
     * A node with what decides between nodes that take a pod.
     *
     * @param broken how many of the preferred rules it breaks
     * @param alike how many pods of the same controller it has
     * @param pods the pods that it has, which are counted only if all else is equal
     */
    private record Seat(Node node, long broken, long alike, Collection<Pod> pods) implements Comparable<Seat> {
        private static final Comparator<Seat> ORDER = Comparator.comparingLong(Seat::broken)
                .thenComparingLong(Seat::alike)
                .thenComparingInt(seat -> seat.pods.size())
                .thenComparing(seat -> seat.node.name());

        @Override
        public int compareTo(Seat other) {
            return ORDER.compare(this, other);
        }
    }
}
