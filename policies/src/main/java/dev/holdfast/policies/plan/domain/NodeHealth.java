package dev.holdfast.policies.plan.domain;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import dev.holdfast.policies.rule.NodeEligibility;
import dev.holdfast.policies.rule.SpreadDomains;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts how many of the nodes that a rule counts are lost: not Ready, or vanished a short time ago. The count is made
 * for the cluster and for each domain. Nodes that are about to be removed do not count, nor do nodes that have been
 * stopped on purpose for a while. The cluster or a domain is unhealthy if at least 2, and more than a tenth, of these
 * nodes are lost.
 *
 * <p>Taints that say in which state a node is, for example not Ready or under pressure, make no difference. Otherwise
 * no lost node would count for a rule that heeds taints.
 *
 * <p>Computed on demand, once for all rules with the same eligible nodes and topologyKey. All nodes are counted only if
 * at least 2 eligible ones are lost.
 */
public final class NodeHealth {
    private final ClusterView view;
    private final List<VanishedNodes.Vanished> vanished;
    private final Instant now;
    private final Map<Key, Counts> known = new HashMap<>();
    private @Nullable Nodes nodes;

    /** Counts, on demand, the nodes in the view and those that vanished a short time before {@code now}. */
    public NodeHealth(ClusterView view, VanishedNodes vanished, Instant now) {
        this.view = view;
        this.vanished = vanished.lately(now);
        this.now = now;
    }

    /** The nodes in the view that count, and those of them that are not Ready. */
    private record Nodes(List<Node> staying, List<Node> notReady) {}

    /** The key of the counts: the eligible nodes of the cluster, and of each domain if there is a topologyKey. */
    private record Key(NodeEligibility eligibility, Optional<String> topologyKey) {}

    /** The counts of the eligible nodes of the cluster, and of each domain by its value, in natural order. */
    private record Counts(LostCount cluster, Map<String, LostCount> byDomain) {
        static Counts none() {
            return new Counts(new LostCount("the cluster"), Map.of());
        }
    }

    /**
     * {@return the count of a spread's eligible nodes in the cluster if the cluster is unhealthy; else in the first
     * unhealthy domain; empty if there is none}
     */
    public Optional<LostCount> ofSpread(SpreadDomains spread) {
        Counts counts = counts(new Key(spread.eligibility(), Optional.of(spread.topologyKey())));
        return Stream.concat(Stream.of(counts.cluster()), counts.byDomain().values().stream())
                .filter(LostCount::isUnhealthy)
                .findFirst();
    }

    /**
     * {@return the count for pod affinity if the cluster, or a domain that a term gives the pod's node, is unhealthy;
     * else empty} In the cluster, the nodes count that the pod may use. In each domain, these nodes count, and also all
     * nodes, because the partners may run on any.
     *
     * @param pod the constraints of the pod that has the rule
     * @param node the pod's node
     */
    public Optional<LostCount> ofAffinity(Scheduling pod, List<PodAffinityTerm> terms, Node node) {
        NodeEligibility own = NodeEligibility.ofPod(pod);
        return Stream.concat(
                        Stream.of(counts(new Key(own, Optional.empty())).cluster()),
                        terms.stream()
                                .map(PodAffinityTerm::topologyKey)
                                .flatMap(key -> Stream.of(own, NodeEligibility.ofAll())
                                        .flatMap(eligibility -> inDomainOf(node, eligibility, key).stream())))
                .filter(LostCount::isUnhealthy)
                .findFirst();
    }

    private Optional<LostCount> inDomainOf(Node node, NodeEligibility eligibility, String topologyKey) {
        Map<String, LostCount> byDomain =
                counts(new Key(eligibility, Optional.of(topologyKey))).byDomain();
        return node.labels().get(topologyKey).map(byDomain::get);
    }

    /** {@return whether enough nodes are lost for any rule to count} */
    public boolean hasLostNodes() {
        return nodes().notReady().size() + vanished.size() >= LostCount.FEWEST_LOST;
    }

    private Nodes nodes() {
        Nodes read = nodes;
        if (read == null) {
            List<Node> staying = view.nodes().stream()
                    .filter(node -> LeavingNodes.marked(node).isEmpty())
                    .filter(node -> StoppedNodes.countsUntil(node)
                            .filter(end -> !now.isBefore(end))
                            .isEmpty())
                    .toList();
            read = new Nodes(
                    staying, staying.stream().filter(node -> !node.ready()).toList());
            nodes = read;
        }
        return read;
    }

    private Counts counts(Key key) {
        return hasLostNodes() ? known.computeIfAbsent(key, this::count) : Counts.none();
    }

    private Counts count(Key key) {
        Predicate<Node> eligible = key.eligibility().matcherDespite(NodeHealth::isOfState);
        List<VanishedNodes.Vanished> gone =
                vanished.stream().filter(one -> eligible.test(one.node())).toList();
        long lost = gone.size() + nodes().notReady().stream().filter(eligible).count();
        if (lost < LostCount.FEWEST_LOST) {
            return Counts.none();
        }
        LostCount cluster = new LostCount("the cluster");
        Map<String, LostCount> byDomain = new TreeMap<>();
        for (Node node : nodes().staying()) {
            if (eligible.test(node)) {
                cluster.add(node);
                domain(node, key, byDomain).ifPresent(it -> it.add(node));
            }
        }
        for (VanishedNodes.Vanished one : gone) {
            cluster.add(one);
            domain(one.node(), key, byDomain).ifPresent(it -> it.add(one));
        }
        return new Counts(cluster, byDomain);
    }

    /** {@return whether the taint tells the state of a node; other taints reserve a node for some pods} */
    private static boolean isOfState(Taint taint) {
        return taint.key().startsWith("node.kubernetes.io/")
                || taint.key().startsWith("node.cloudprovider.kubernetes.io/")
                || taint.key().endsWith("not-ready");
    }

    private static Optional<LostCount> domain(Node node, Key key, Map<String, LostCount> byDomain) {
        return key.topologyKey()
                .flatMap(topologyKey -> node.labels()
                        .get(topologyKey)
                        .map(value -> byDomain.computeIfAbsent(value, _ -> new LostCount(topologyKey + "=" + value))));
    }
}
