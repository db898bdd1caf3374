package dev.holdfast.policies.plan.domain;

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
 * Counts how many nodes of the cluster and of each domain are lost: not Ready, or vanished a short time ago. Nodes that
 * are about to be removed do not count. The cluster or a domain is unhealthy if at least 2, and more than a tenth, of
 * its nodes are lost.
 *
 * <p>Computed on demand. Domains are counted only if at least 2 nodes of the cluster are lost.
 */
public final class NodeHealth {
    private static final int FEWEST_LOST = 2;
    private static final int TENTH = 10;
    private static final String CLUSTER = "the cluster";
    private static final Counts NONE = new Counts(Map.of(), Optional.empty());

    private final ClusterView view;
    private final List<VanishedNodes.Vanished> vanished;
    private final Map<String, Counts> byKey = new HashMap<>();
    private @Nullable LostCount cluster;

    /** Counts, on demand, the nodes in the view and those that vanished a short time before {@code now}. */
    public NodeHealth(ClusterView view, VanishedNodes vanished, Instant now) {
        this.view = view;
        this.vanished = vanished.lately(now);
    }

    /**
     * The node counts of all domains of one topologyKey.
     *
     * @param byName the counts by domain, for example {@code topology.kubernetes.io/zone=a}
     * @param unhealthy the counts of the first unhealthy domain by name; absent if there is none
     */
    private record Counts(Map<String, LostCount> byName, Optional<LostCount> unhealthy) {}

    /** How many nodes of the cluster or of one domain are lost. */
    public static final class LostCount {
        private final String of;
        private int nodes;
        private int lost;

        public LostCount(String of) {
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

    /** {@return the counts of the cluster if at least 2, and more than a tenth, of its nodes are lost; else empty} */
    public Optional<LostCount> unhealthyCluster() {
        return Optional.of(cluster()).filter(LostCount::isUnhealthy);
    }

    /**
     * {@return the counts of the first unhealthy domain of a topologyKey, by name: at least 2, and more than a tenth,
     * of its nodes are lost; empty if there is none}
     */
    public Optional<LostCount> unhealthyDomain(String topologyKey) {
        return domains(topologyKey).unhealthy();
    }

    /**
     * {@return the counts of a node's domain if the domain is unhealthy: at least 2, and more than a tenth, of its
     * nodes are lost; else empty}
     */
    public Optional<LostCount> unhealthyDomain(String topologyKey, Node node) {
        return node.labels()
                .get(topologyKey)
                .map(value -> domains(topologyKey).byName().get(name(topologyKey, value)))
                .filter(LostCount::isUnhealthy);
    }

    /** {@return the nodes that vanished a short time ago, in the order in which they vanished} */
    public List<VanishedNodes.Vanished> vanished() {
        return vanished;
    }

    private LostCount cluster() {
        LostCount known = cluster;
        if (known == null) {
            known = count(_ -> Optional.of(CLUSTER)).getOrDefault(CLUSTER, new LostCount(CLUSTER));
            cluster = known;
        }
        return known;
    }

    private Counts domains(String topologyKey) {
        return cluster().lost < FEWEST_LOST ? NONE : byKey.computeIfAbsent(topologyKey, this::count);
    }

    private Counts count(String topologyKey) {
        Map<String, LostCount> byName =
                count(node -> node.labels().get(topologyKey).map(value -> name(topologyKey, value)));
        return new Counts(
                byName, byName.values().stream().filter(LostCount::isUnhealthy).findFirst());
    }

    private static String name(String topologyKey, String value) {
        return topologyKey + "=" + value;
    }

    /**
     * {@return the node counts, by the name of the cluster or domain}
     *
     * @param belonging gives the name of the cluster or domain that a node belongs to; empty if it belongs to none
     */
    private Map<String, LostCount> count(Function<Node, Optional<String>> belonging) {
        Map<String, LostCount> lostCounts = new TreeMap<>();
        for (Node node : view.nodes()) {
            if (LeavingNodes.marked(node).isEmpty()) {
                belonging.apply(node).ifPresent(of -> share(lostCounts, of).count(!node.ready()));
            }
        }
        for (VanishedNodes.Vanished one : vanished) {
            belonging.apply(one.node()).ifPresent(of -> share(lostCounts, of).count(true));
        }
        return lostCounts;
    }

    private static LostCount share(Map<String, LostCount> lostCounts, String of) {
        return lostCounts.computeIfAbsent(of, LostCount::new);
    }
}
