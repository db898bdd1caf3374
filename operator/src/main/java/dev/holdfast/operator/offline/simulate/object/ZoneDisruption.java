package dev.holdfast.operator.offline.simulate.object;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The zones in which the node lifecycle controller gives failed nodes no taint that deletes pods. If many nodes of a
 * zone are not Ready, the control plane has probably lost its connection to them. A zone is a pair of the labels region
 * and zone; nodes without these labels are one zone. Source: Kubernetes documentation, "Nodes", rate limits on
 * eviction.
 *
 * <p>Example: of 5 nodes of a zone, 3 are not Ready: 60 %, which is more than 55 %. The zone has at most 50 nodes, so
 * a further node that fails is not tainted. If all 5 are not Ready, and other zones have Ready nodes, it is.
 */
public final class ZoneDisruption {
    private static final String REGION = "topology.kubernetes.io/region";

    /** The label of nodes that do not count. Source: KEP-1143. */
    private static final String EXCLUDED = "node.kubernetes.io/exclude-disruption";

    /** The flag {@code --unhealthy-zone-threshold} of the controller manager, in percent. */
    private static final int UNHEALTHY_PERCENT = 55;

    /** The flag {@code --large-cluster-size-threshold}: in larger zones, deletions are only slower. */
    private static final int MOST_NODES = 50;

    /** Up to this number of nodes, failures in a zone disrupt only themselves. */
    private static final int FEW_FAILED = 2;

    private final Map<String, List<String>> zoneOfNode = new HashMap<>();
    private final Map<List<String>, Nodes> zones = new HashMap<>();

    private record Nodes(int ready, int failed) {
        static Nodes of(Node node) {
            return node.ready() ? new Nodes(1, 0) : new Nodes(0, 1);
        }

        Nodes and(Nodes others) {
            return new Nodes(ready + others.ready, failed + others.failed);
        }

        int all() {
            return ready + failed;
        }

        boolean isPartial() {
            return failed > FEW_FAILED && ready > 0 && all() <= MOST_NODES && failed * 100 >= all() * UNHEALTHY_PERCENT;
        }
    }

    /** @param cluster the cluster, which is read once */
    public ZoneDisruption(ClusterView cluster) {
        Zones.nodes(cluster).forEach(node -> {
            List<String> zone = List.of(
                    node.labels().get(REGION).orElse(""),
                    node.labels().get(Zones.KEY).orElse(""));
            zoneOfNode.put(node.name(), zone);
            if (node.labels().get(EXCLUDED).isEmpty()) {
                zones.merge(zone, Nodes.of(node), Nodes::and);
            }
        });
    }

    /** {@return whether no node of the cluster is Ready: then the controller also takes such taints away} */
    public boolean isOfAll() {
        return zones.values().stream().allMatch(nodes -> nodes.ready() == 0);
    }

    /** {@return why a failed node gets no taint that deletes pods, as a part of a sentence; empty if it gets one} */
    public Optional<String> at(String node) {
        if (isOfAll()) {
            return Optional.of("the node lifecycle controller deletes no pods while no node of the cluster is Ready");
        }
        return Optional.ofNullable(zoneOfNode.get(node))
                .map(zones::get)
                .filter(Nodes::isPartial)
                .map(nodes -> "the node lifecycle controller deletes no pods while " + nodes.failed() + " of "
                        + nodes.all() + " nodes of its zone are not Ready");
    }
}
