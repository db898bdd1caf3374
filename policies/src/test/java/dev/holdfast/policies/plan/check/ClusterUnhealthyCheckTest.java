package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.leavingSince;
import static dev.holdfast.policies.testing.NodeTraits.lifecycle;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.tolerating;
import static dev.holdfast.policies.testing.Spreads.honoringTaints;
import static dev.holdfast.policies.testing.Spreads.ignoringNodeAffinity;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.domain.NodeHealth;
import dev.holdfast.policies.plan.domain.VanishedNodes;
import dev.holdfast.policies.plan.input.ClusterSignals;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterUnhealthyCheckTest {
    private static final PodTrait EVENLY = spread(maxSkew(1, ZONE, app("web")));
    private static final PodTrait EVENLY_BY_NODE = spread(maxSkew(1, HOSTNAME, app("web")));
    private static final PodTrait NEAR_CACHE = near(term(app("cache"), ZONE));
    private static final NodeTrait[] FINE = {};
    private static final PodTrait[] GENERAL_EVENLY = {nodeSelector("pool", "general"), EVENLY};
    private static final PodTrait[] GENERAL_NEAR = {nodeSelector("pool", "general"), NEAR_CACHE};
    private static final NodeTrait DEDICATED = tainted("dedicated", "gpu", "NoSchedule");

    /** {@return a cluster with two web pods in zone a, and zones whose last nodes are lost} */
    private static ClusterBuilder zones(PodTrait demand, Zone... zones) {
        ClusterBuilder facts = cluster();
        for (Zone zone : zones) {
            for (int i = 1; i <= zone.nodes(); i++) {
                facts.node(
                        zone.name() + i,
                        in(
                                zone.name(),
                                i,
                                i > zone.nodes() - zone.lost() ? zone.how().toArray(FINE) : FINE));
            }
        }
        return facts.pod("web-1", on("a1"), replicaOf("web"), demand).pod("web-2", on("a1"), replicaOf("web"), demand);
    }

    private record Pool(String name, String zone, int nodes, int lost, List<NodeTrait> traits) {}

    /** {@return a pool of nodes in zone a, the last of them lost} */
    private static Pool pool(String name, int nodes, int lost, NodeTrait... traits) {
        return new Pool(name, "a", nodes, lost, List.of(traits));
    }

    private static Pool inZoneB(String name, int nodes, int lost, NodeTrait... traits) {
        return new Pool(name, "b", nodes, lost, List.of(traits));
    }

    /** {@return a cluster of these pools, with two web pods on the first node of the first pool} */
    private static ClusterBuilder pools(PodTrait[] demands, Pool... pools) {
        ClusterBuilder facts = cluster();
        for (Pool pool : pools) {
            for (int i = 1; i <= pool.nodes(); i++) {
                List<NodeTrait> traits = new ArrayList<>(pool.traits());
                traits.addAll(List.of(labels("pool", pool.name()), zone(pool.zone())));
                if (i > pool.nodes() - pool.lost()) {
                    traits.add(notReady());
                }
                facts.node(pool.name() + "-" + pool.zone() + i, traits.toArray(NodeTrait[]::new));
            }
        }
        for (String name : List.of("web-1", "web-2")) {
            List<PodTrait> traits = new ArrayList<>(List.of(demands));
            traits.addAll(List.of(on(pools[0].name() + "-a1"), replicaOf("web")));
            facts.pod(name, traits.toArray(PodTrait[]::new));
        }
        return facts;
    }

    private record Zone(String name, int nodes, int lost, List<NodeTrait> how) {}

    private static NodeTrait[] in(String zone, int number, NodeTrait... how) {
        List<NodeTrait> all = new ArrayList<>(List.of(zone(zone), hostname(zone + number)));
        all.addAll(List.of(how));
        return all.toArray(NodeTrait[]::new);
    }

    private static Zone fine(String name, int nodes) {
        return new Zone(name, nodes, 0, List.of());
    }

    private static Zone lost(String name, int nodes, int lost) {
        return new Zone(name, nodes, lost, List.of(notReady()));
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                free("all nodes are Ready", zones(EVENLY, fine("a", 10), fine("b", 10))),
                free("1 of 5 nodes of a zone: one lost node is allowed", zones(EVENLY, lost("a", 5, 1), fine("b", 5))),
                free("2 of 20 nodes of a zone: a tenth", zones(EVENLY, lost("a", 20, 2), fine("b", 20))),
                held(
                        "2 of 19: more than a tenth",
                        zones(EVENLY, lost("a", 19, 2), fine("b", 19)),
                        "2 of the 19 nodes that this rule counts in " + ZONE + "=a"),
                held(
                        "spread: another zone, in a large cluster",
                        zones(EVENLY, fine("a", 30), lost("b", 10, 2)),
                        "2 of the 10 nodes that this rule counts in " + ZONE + "=b"),
                held(
                        "spread by node: many nodes of the cluster",
                        zones(EVENLY_BY_NODE, fine("a", 10), lost("b", 9, 2)),
                        "2 of the 19 nodes that this rule counts in the cluster"),
                free(
                        "spread by node: few nodes of the cluster",
                        zones(EVENLY_BY_NODE, fine("a", 10), lost("b", 10, 2))),
                held(
                        "affinity: the zone that the pod is in",
                        zones(NEAR_CACHE, lost("a", 10, 2), fine("b", 30)),
                        "2 of the 10 nodes that this rule counts in " + ZONE + "=a"),
                free("affinity: another zone", zones(NEAR_CACHE, fine("a", 30), lost("b", 10, 2))),
                held(
                        "affinity: many nodes of the cluster",
                        zones(NEAR_CACHE, fine("a", 10), lost("b", 9, 2)),
                        "2 of the 19 nodes that this rule counts in the cluster"),
                held(
                        "spread: 3 of the pool's 13 nodes, beside 100 of another pool",
                        pools(GENERAL_EVENLY, pool("general", 12, 3), inZoneB("general", 1, 0), pool("gpu", 100, 0)),
                        "3 of the 13 nodes that this rule counts in the cluster"),
                held(
                        "spread: 2 of the pool's 12 nodes in a zone, beside 100 of another pool",
                        pools(GENERAL_EVENLY, pool("general", 12, 2), pool("gpu", 100, 0), inZoneB("general", 20, 0)),
                        "2 of the 12 nodes that this rule counts in " + ZONE + "=a"),
                free(
                        "spread: one of the pool's nodes, and many of another pool",
                        pools(GENERAL_EVENLY, pool("general", 11, 1), inZoneB("general", 1, 0), pool("gpu", 10, 9))),
                held(
                        "spread with nodeAffinityPolicy Ignore: many nodes of another pool",
                        pools(
                                new PodTrait[] {
                                    nodeSelector("pool", "general"),
                                    spread(maxSkew(1, ZONE, app("web"), ignoringNodeAffinity()))
                                },
                                pool("general", 11, 0),
                                inZoneB("general", 1, 0),
                                pool("gpu", 10, 5)),
                        "5 of the 22 nodes that this rule counts in the cluster"),
                free(
                        "spread with nodeTaintsPolicy Honor: many nodes that repel the pod",
                        pools(
                                new PodTrait[] {spread(maxSkew(1, ZONE, app("web"), honoringTaints()))},
                                pool("general", 11, 0),
                                inZoneB("general", 1, 0),
                                pool("gpu", 10, 5, DEDICATED))),
                held(
                        "spread with nodeTaintsPolicy Ignore: many nodes that repel the pod",
                        pools(
                                new PodTrait[] {EVENLY},
                                pool("general", 11, 0),
                                inZoneB("general", 1, 0),
                                pool("gpu", 10, 5, DEDICATED)),
                        "5 of the 22 nodes that this rule counts in the cluster"),
                held(
                        "spread with nodeTaintsPolicy Honor: nodes that Kubernetes tainted when they were lost",
                        zones(
                                spread(maxSkew(1, ZONE, app("web"), honoringTaints())),
                                new Zone(
                                        "a",
                                        19,
                                        2,
                                        List.of(
                                                notReady(),
                                                tainted("node.kubernetes.io/not-ready", "", "NoSchedule"),
                                                tainted("node.kubernetes.io/unreachable", "", "NoExecute"),
                                                tainted("node.cilium.io/agent-not-ready", "", "NoSchedule"),
                                                tainted(
                                                        "node.cloudprovider.kubernetes.io/shutdown",
                                                        "",
                                                        "NoSchedule"))),
                                fine("b", 19)),
                        "2 of the 19 nodes that this rule counts in " + ZONE + "=a"),
                held(
                        "affinity: 3 of the 13 nodes that the pod may use, beside 100 of another pool",
                        pools(GENERAL_NEAR, pool("general", 13, 3), pool("gpu", 100, 0)),
                        "3 of the 13 nodes that this rule counts in the cluster"),
                held(
                        "affinity: 2 of the 12 nodes that the pod may use in its zone, beside 100 of another pool",
                        pools(GENERAL_NEAR, pool("general", 12, 2), pool("gpu", 100, 0), inZoneB("general", 20, 0)),
                        "2 of the 12 nodes that this rule counts in " + ZONE + "=a"),
                free(
                        "affinity: many nodes of another pool, in another zone",
                        pools(GENERAL_NEAR, pool("general", 12, 0), inZoneB("gpu", 10, 9))),
                held(
                        "affinity: many nodes of another pool in the pod's zone, where partners may have been",
                        pools(GENERAL_NEAR, pool("general", 12, 0), pool("gpu", 10, 5)),
                        "5 of the 22 nodes that this rule counts in " + ZONE + "=a"),
                free(
                        "affinity: many nodes that repel the pod, in another zone",
                        pools(new PodTrait[] {NEAR_CACHE}, pool("general", 12, 0), inZoneB("gpu", 10, 9, DEDICATED))),
                held(
                        "affinity: many nodes with a taint that the pod tolerates, in another zone",
                        pools(
                                new PodTrait[] {NEAR_CACHE, tolerating("dedicated", "gpu", "NoSchedule")},
                                pool("general", 12, 0),
                                inZoneB("gpu", 10, 9, DEDICATED)),
                        "9 of the 22 nodes that this rule counts in the cluster"),
                free(
                        "anti-affinity is not held",
                        zones(apartFrom(term(app("web"), ZONE)), lost("a", 3, 2), fine("b", 3))),
                free("node affinity is not held", zones(nodeSelector("disk", "ssd"), lost("a", 3, 2), fine("b", 3))),
                free(
                        "nodes that are going to be removed are not counted",
                        zones(EVENLY, new Zone("a", 10, 3, List.of(notReady(), leavingSince(NOW))), fine("b", 10))),
                held(
                        "nodes that are not Ready while they are shut down are lost",
                        zones(
                                EVENLY,
                                new Zone(
                                        "a",
                                        10,
                                        3,
                                        List.of(
                                                notReady(),
                                                lifecycle(NodeLifecycle.Condition.GRACEFUL_NODE_SHUTDOWN_IN_PROGRESS))),
                                fine("b", 10)),
                        "3 of the 20 nodes that this rule counts in the cluster"),
                free(
                        "cordoned nodes are not lost",
                        zones(EVENLY, new Zone("a", 10, 3, List.of(cordoned())), fine("b", 10))));
    }

    private static Arguments held(String name, ClusterBuilder facts, String unhealthy) {
        return argumentSet(name, facts, Optional.of(Hold.untilChange(Reason.CLUSTER_UNHEALTHY, message(unhealthy))));
    }

    private static String message(String unhealthy) {
        return unhealthy
                + " are not Ready, or vanished within 15 minutes: more than a tenth; repair these nodes, or delete or"
                + " cordon those that will not come back";
    }

    private static Arguments free(String name, ClusterBuilder facts) {
        return argumentSet(name, facts, Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void whileManyNodesAreLostNoPodIsMovedForAffinityOrSpread(ClusterBuilder facts, Optional<Hold> expected) {
        ReferenceCluster referenceCluster = facts.build();

        Optional<Hold> hold = ShuffledPlanner.hold(
                new ClusterUnhealthyCheck(),
                candidate(referenceCluster, "web-1"),
                situation(referenceCluster, new Moves()));

        assertThat(hold).isEqualTo(expected);
    }

    static Stream<Arguments> vanishing() {
        return Stream.of(
                vanished("two vanished now", it -> gone(it, NOW, FINE), Optional.of(NOW.plusSeconds(900))),
                vanished(
                        "two vanished, 899 s ago and now",
                        it -> {
                            it.vanished(node("c1", FINE), NOW.minusSeconds(899));
                            it.vanished(node("c2", FINE), NOW);
                        },
                        Optional.of(NOW.plusSeconds(1))),
                vanished(
                        "two vanished, one of them 900 s ago",
                        it -> {
                            it.vanished(node("c1", FINE), NOW.minusSeconds(900));
                            it.vanished(node("c2", FINE), NOW);
                        },
                        Optional.empty()),
                vanished(
                        "two vanished, and one is back",
                        it -> {
                            gone(it, NOW, FINE);
                            it.exists("c1");
                        },
                        Optional.empty()),
                vanished(
                        "two vanished that an autoscaler had marked",
                        it -> gone(it, NOW, tainted("ToBeDeletedByClusterAutoscaler", "", "NoSchedule")),
                        Optional.empty()),
                vanished(
                        "two vanished that were being deleted",
                        it -> gone(it, NOW, leavingSince(NOW), notReady()),
                        Optional.empty()),
                vanished(
                        "two vanished while they were shut down",
                        it -> gone(it, NOW, lifecycle(NodeLifecycle.Condition.GRACEFUL_NODE_SHUTDOWN_IN_PROGRESS)),
                        Optional.of(NOW.plusSeconds(900))),
                vanished("two that had been cordoned", it -> gone(it, NOW, cordoned()), Optional.empty()),
                vanished(
                        "two vanished that were cordoned and not Ready",
                        it -> gone(it, NOW, cordoned(), notReady()),
                        Optional.of(NOW.plusSeconds(900))),
                vanished(
                        "two that were not Ready", it -> gone(it, NOW, notReady()), Optional.of(NOW.plusSeconds(900))));
    }

    private static Arguments vanished(String name, Consumer<VanishedNodes> nodes, Optional<Instant> heldUntil) {
        return argumentSet(name, nodes, heldUntil);
    }

    private static void gone(VanishedNodes nodes, Instant at, NodeTrait... how) {
        nodes.vanished(node("c1", how), at);
        nodes.vanished(node("c2", how), at);
    }

    private static Node node(String name, NodeTrait... how) {
        return Facts.node(name, in("c", 1, how));
    }

    private static Situation after(ReferenceCluster referenceCluster, VanishedNodes vanished) {
        Situation plain = situation(referenceCluster, new Moves());
        ClusterSignals clusterSignals = plain.clusterSignals();
        return new Situation(
                plain.cluster(),
                plain.rules(),
                new ClusterSignals(
                        clusterSignals.recentDisturbances(),
                        clusterSignals.domains(),
                        new NodeHealth(referenceCluster, vanished, NOW),
                        clusterSignals.brakeGate()),
                plain.planLimits(),
                plain.moves(),
                NOW);
    }

    @ParameterizedTest
    @MethodSource("vanishing")
    void nodesThatVanishedLatelyAreLostOnes(Consumer<VanishedNodes> nodes, Optional<Instant> heldUntil) {
        ReferenceCluster referenceCluster =
                zones(EVENLY, fine("a", 8), fine("b", 8)).build();
        VanishedNodes vanished = new VanishedNodes();
        nodes.accept(vanished);
        Situation situation = after(referenceCluster, vanished);

        Optional<Hold> hold =
                ShuffledPlanner.hold(new ClusterUnhealthyCheck(), candidate(referenceCluster, "web-1"), situation);

        assertThat(hold)
                .isEqualTo(heldUntil.map(at -> Hold.until(
                        Reason.CLUSTER_UNHEALTHY,
                        message("2 of the 18 nodes that this rule counts in the cluster"),
                        at)));
    }

    static Stream<Arguments> vanishingPools() {
        return Stream.of(
                vanished(
                        "two of the pool's nodes, 100 s after a node of another pool",
                        it -> {
                            it.vanished(Facts.node("gpu-1", labels("pool", "gpu"), zone("a")), NOW.minusSeconds(200));
                            it.vanished(
                                    Facts.node("gone-1", labels("pool", "general"), zone("a")), NOW.minusSeconds(100));
                            it.vanished(Facts.node("gone-2", labels("pool", "general"), zone("a")), NOW);
                        },
                        Optional.of(NOW.plusSeconds(800))),
                vanished(
                        "one of the pool's nodes, and one of another pool",
                        it -> {
                            it.vanished(Facts.node("gpu-1", labels("pool", "gpu"), zone("a")), NOW);
                            it.vanished(Facts.node("gone-1", labels("pool", "general"), zone("a")), NOW);
                        },
                        Optional.empty()),
                vanished(
                        "two nodes that a taint kept for other pods",
                        it -> {
                            it.vanished(Facts.node("g1", labels("pool", "general"), zone("a"), DEDICATED), NOW);
                            it.vanished(Facts.node("g2", labels("pool", "general"), zone("a"), DEDICATED), NOW);
                        },
                        Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("vanishingPools")
    void aVanishedNodeCountsByTheLabelsAndTaintsThatItHad(Consumer<VanishedNodes> nodes, Optional<Instant> heldUntil) {
        PodTrait[] demands = {nodeSelector("pool", "general"), spread(maxSkew(1, ZONE, app("web"), honoringTaints()))};
        ReferenceCluster referenceCluster =
                pools(demands, pool("general", 8, 0), inZoneB("general", 8, 0)).build();
        VanishedNodes vanished = new VanishedNodes();
        nodes.accept(vanished);

        Optional<Hold> hold = ShuffledPlanner.hold(
                new ClusterUnhealthyCheck(), candidate(referenceCluster, "web-1"), after(referenceCluster, vanished));

        assertThat(hold)
                .isEqualTo(heldUntil.map(at -> Hold.until(
                        Reason.CLUSTER_UNHEALTHY,
                        message("2 of the 18 nodes that this rule counts in the cluster"),
                        at)));
    }

    @Test
    void ofTooManyVanishedNodesTheFirstAreForgotten() {
        VanishedNodes vanished = new VanishedNodes();

        for (int i = 0; i <= 10_000; i++) {
            vanished.vanished(Facts.node("n" + i), NOW);
        }

        assertThat(vanished.size()).isEqualTo(10_000);
    }

    @Test
    void nodesThatVanishedLongEnoughAgoAreForgotten() {
        VanishedNodes vanished = new VanishedNodes();
        gone(vanished, NOW, FINE);
        assertThat(vanished.size()).isEqualTo(2);

        vanished.forget(NOW.plusSeconds(900));

        assertThat(vanished.size()).isZero();
    }
}
