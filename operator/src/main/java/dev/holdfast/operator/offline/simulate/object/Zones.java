package dev.holdfast.operator.offline.simulate.object;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import java.util.List;
import java.util.stream.Stream;

/** The zones of a cluster. */
public final class Zones {
    /** The label of nodes that says in which zone they are. */
    public static final String KEY = "topology.kubernetes.io/zone";

    private Zones() {}

    /** {@return the nodes of a cluster, with those of which only name, zone and region are read} */
    public static Stream<Node> nodes(ClusterView cluster) {
        return Stream.concat(cluster.nodes().stream(), cluster.unreadNodes().stream());
    }

    /** {@return the zones in which there are nodes, in order} */
    public static List<String> of(ClusterView cluster) {
        return nodes(cluster)
                .flatMap(node -> node.labels().get(KEY).stream())
                .filter(zone -> !zone.isEmpty())
                .distinct()
                .sorted()
                .toList();
    }
}
