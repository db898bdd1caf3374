package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.offline.report.ClusterReport.State;
import java.util.Arrays;
import java.util.List;

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
     * @param pods the running pods, those in the gravest state first
     */
    public record MapNode(String name, String remark, List<MapPod> pods) {
        public MapNode {
            pods = List.copyOf(pods);
        }

        /** {@return how many pods are in a state} */
        public int count(State state) {
            return (int) pods.stream().filter(pod -> pod.state() == state).count();
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
    public record MapPod(String namespace, String pod, String uid, State state) {}
}
