package dev.holdfast.operator.offline.simulate.object;

import dev.holdfast.policies.model.ClusterView;
import java.util.List;

/** The zones of a cluster. */
public final class Zones {
    /** The label of nodes that says in which zone they are. */
    public static final String KEY = "topology.kubernetes.io/zone";

    private Zones() {}

    /** {@return the zones in which there are nodes, in order} */
    public static List<String> of(ClusterView cluster) {
        return cluster.nodes().stream()
                .flatMap(node -> node.labels().get(KEY).stream())
                .filter(zone -> !zone.isEmpty())
                .distinct()
                .sorted()
                .toList();
    }
}
