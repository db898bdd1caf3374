package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How many of the nodes of the cluster and of its domains are lost: not Ready, or vanished lately. Nodes that are on their
 * way out count nowhere.
 *
 * <p>Counted when it is asked for, and the domains of a topologyKey only where enough nodes are lost at all for one of them
 * to be unhealthy.
 */
public final class NodeHealth {
    private static final int FEWEST_LOST = 2;
    private static final int TENTH = 10;
    private static final String CLUSTER = "the cluster";
    private static final Counts NONE = new Counts(Map.of(), Optional.empty());

    private final ClusterView view;
    private final List<VanishedNodes.Vanished> vanished;
    private final Map<String, Counts> byKey = new HashMap<>();
    private @Nullable Share cluster;

    /** The health of the nodes in a view, and of those that have vanished up to now. */
    public NodeHealth(ClusterView view, VanishedNodes vanished, Instant now) {
        this.view = view;
        this.vanished = vanished.lately(now);
    }

    /** The domains of one topologyKey. */
    private record Counts(Map<String, Share> byName, Optional<Share> unhealthy) {}

    /** How many nodes of something are lost. */
    public static final class Share {
        private final String of;
        private int nodes;
        private int lost;

        public Share(String of) {
            this.of = of;
        }

        private void count(boolean isLost) {
            nodes++;
            lost += isLost ? 1 : 0;
        }

        private boolean isUnhealthy() {
            return lost >= FEWEST_LOST && lost * TENTH > nodes;
        }

        @Override
        public String toString() {
            return lost + " of " + nodes + " nodes of " + of;
        }
    }

    /** {@return the cluster, where too many of its nodes are lost} */
    public Optional<Share> unhealthyCluster() {
        return Optional.of(cluster()).filter(Share::isUnhealthy);
    }

    /** {@return the first domain of a topologyKey, by name, too many of whose nodes are lost} */
    public Optional<Share> unhealthyDomain(String topologyKey) {
        return domains(topologyKey).unhealthy();
    }

    /** {@return the domain of a topologyKey that a node is in, where too many of its nodes are lost} */
    public Optional<Share> unhealthyDomain(String topologyKey, Node node) {
        return node.labels()
                .get(topologyKey)
                .map(value -> domains(topologyKey).byName().get(name(topologyKey, value)))
                .filter(Share::isUnhealthy);
    }

    /** {@return those that vanished lately, the first one first} */
    public List<VanishedNodes.Vanished> vanished() {
        return vanished;
    }

    private Share cluster() {
        Share known = cluster;
        if (known == null) {
            known = count(_ -> Optional.of(CLUSTER)).getOrDefault(CLUSTER, new Share(CLUSTER));
            cluster = known;
        }
        return known;
    }

    private Counts domains(String topologyKey) {
        return cluster().lost < FEWEST_LOST ? NONE : byKey.computeIfAbsent(topologyKey, this::count);
    }

    private Counts count(String topologyKey) {
        Map<String, Share> byName =
                count(node -> node.labels().get(topologyKey).map(value -> name(topologyKey, value)));
        return new Counts(
                byName, byName.values().stream().filter(Share::isUnhealthy).findFirst());
    }

    private static String name(String topologyKey, String value) {
        return topologyKey + "=" + value;
    }

    /** {@return the shares of what nodes belong to, by name} */
    private Map<String, Share> count(Function<Node, Optional<String>> belonging) {
        Map<String, Share> shares = new TreeMap<>();
        for (Node node : view.nodes()) {
            if (LeavingNodes.marked(node).isEmpty()) {
                belonging.apply(node).ifPresent(of -> share(shares, of).count(!node.ready()));
            }
        }
        for (VanishedNodes.Vanished one : vanished) {
            belonging.apply(one.node()).ifPresent(of -> share(shares, of).count(true));
        }
        return shares;
    }

    private static Share share(Map<String, Share> shares, String of) {
        return shares.computeIfAbsent(of, Share::new);
    }
}
