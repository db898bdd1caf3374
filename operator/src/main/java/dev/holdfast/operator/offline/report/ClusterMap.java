package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.offline.report.ClusterReport.State;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A map of a cluster: the zones, the nodes in them, and the running pods on each node.
 *
 * @param zones by name; nodes without a zone come first
 */
public record ClusterMap(List<Zone> zones) {
    public ClusterMap {
        zones = List.copyOf(zones);
    }

    /** {@return how many nodes there are} */
    public int nodeCount() {
        return zones.stream().mapToInt(zone -> zone.nodes().size()).sum();
    }

    /** {@return how many pods there are} */
    public int podCount() {
        return zones.stream().mapToInt(Zone::podCount).sum();
    }

    /**
     * The nodes with one value of the label {@code topology.kubernetes.io/zone}.
     *
     * @param name empty for nodes without the label, and for nodes that were not read
     * @param nodes by name
     */
    public record Zone(String name, List<MapNode> nodes) {
        public Zone {
            nodes = List.copyOf(nodes);
        }

        /** {@return how many pods run in the zone} */
        public int podCount() {
            return nodes.stream().mapToInt(node -> node.pods().size()).sum();
        }

        /** {@return how many pods of the zone are in a state} */
        public int count(State state) {
            return nodes.stream().mapToInt(node -> node.count(state)).sum();
        }
    }

    /**
     * A node.
     *
     * @param remark why the node takes no pods: for example cordoned; empty for a usual node
     * @param pods the running pods, those in the gravest state first; of each state, those that leave or arrive
     */
    public record MapNode(String name, String remark, List<MapPod> pods) {
        public MapNode {
            pods = List.copyOf(pods);
        }

        /** {@return how many pods are in a state} */
        public int count(State state) {
            return (int) pods.stream().filter(pod -> pod.state() == state).count();
        }

        /** {@return how many pods have a presence} */
        public int count(Presence presence) {
            return (int) pods.stream().filter(pod -> pod.presence() == presence).count();
        }

        /** {@return how many pods violate a rule, or have a rule without a verdict} */
        public int affected() {
            return Arrays.stream(State.values())
                    .filter(state -> state != State.FINE)
                    .mapToInt(this::count)
                    .sum();
        }
    }

    /** A running pod. */
    public record MapPod(String namespace, String pod, String uid, State state, Presence presence) {
        /** Pods in the gravest state first; of each state those that leave or arrive; then by name. */
        static final Comparator<MapPod> ORDER = Comparator.comparing(MapPod::state)
                .thenComparing(pod -> pod.presence() == Presence.STAYS)
                .thenComparing(MapPod::namespace)
                .thenComparing(MapPod::pod)
                .thenComparing(MapPod::uid);

        /** Creates a pod on the map of one moment. */
        public MapPod(String namespace, String pod, String uid, State state) {
            this(namespace, pod, uid, state, Presence.STAYS);
        }
    }

    /** Whether a pod of a map is on the map of another moment too. */
    public enum Presence {
        /** The pod is on both maps, or there is only one. */
        STAYS,
        /** The pod is gone at the later moment. */
        LEAVES,
        /** The pod was not there at the earlier moment. */
        ARRIVES
    }

    /** {@return the same map, on which each pod that another map lacks has this presence} */
    ClusterMap marking(ClusterMap other, Presence presence) {
        Set<String> there = other.zones.stream()
                .flatMap(zone -> zone.nodes().stream())
                .flatMap(node -> node.pods().stream())
                .map(MapPod::uid)
                .collect(Collectors.toSet());
        UnaryOperator<MapPod> mark = pod -> there.contains(pod.uid())
                ? pod
                : new MapPod(pod.namespace(), pod.pod(), pod.uid(), pod.state(), presence);
        return new ClusterMap(zones.stream()
                .map(zone -> new Zone(
                        zone.name(),
                        zone.nodes().stream()
                                .map(node -> new MapNode(
                                        node.name(),
                                        node.remark(),
                                        node.pods().stream()
                                                .map(mark)
                                                .sorted(MapPod.ORDER)
                                                .toList()))
                                .toList()))
                .toList());
    }
}
