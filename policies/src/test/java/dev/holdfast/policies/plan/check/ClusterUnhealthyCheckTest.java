package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.leavingSince;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.domain.NodeHealth;
import dev.holdfast.policies.plan.domain.VanishedNodes;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.situation.ClusterSignals;
import dev.holdfast.policies.plan.situation.Situation;
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
                        "2 of 19 nodes of " + ZONE + "=a"),
                held(
                        "spread: another zone, in a large cluster",
                        zones(EVENLY, fine("a", 30), lost("b", 10, 2)),
                        "2 of 10 nodes of " + ZONE + "=b"),
                held(
                        "spread by node: many nodes of the cluster",
                        zones(EVENLY_BY_NODE, fine("a", 10), lost("b", 9, 2)),
                        "2 of 19 nodes of the cluster"),
                free(
                        "spread by node: few nodes of the cluster",
                        zones(EVENLY_BY_NODE, fine("a", 10), lost("b", 10, 2))),
                held(
                        "affinity: the zone that the pod is in",
                        zones(NEAR_CACHE, lost("a", 10, 2), fine("b", 30)),
                        "2 of 10 nodes of " + ZONE + "=a"),
                free("affinity: another zone", zones(NEAR_CACHE, fine("a", 30), lost("b", 10, 2))),
                held(
                        "affinity: many nodes of the cluster",
                        zones(NEAR_CACHE, fine("a", 10), lost("b", 9, 2)),
                        "2 of 19 nodes of the cluster"),
                free(
                        "anti-affinity is not held",
                        zones(apartFrom(term(app("web"), ZONE)), lost("a", 3, 2), fine("b", 3))),
                free("node affinity is not held", zones(nodeSelector("disk", "ssd"), lost("a", 3, 2), fine("b", 3))),
                free(
                        "nodes that are going to be removed are not counted",
                        zones(EVENLY, new Zone("a", 10, 3, List.of(notReady(), leavingSince(NOW))), fine("b", 10))),
                free(
                        "cordoned nodes are not lost",
                        zones(EVENLY, new Zone("a", 10, 3, List.of(cordoned())), fine("b", 10))));
    }

    private static Arguments held(String name, ClusterBuilder facts, String unhealthy) {
        return argumentSet(name, facts, Optional.of(Hold.untilChange(Reason.CLUSTER_UNHEALTHY, message(unhealthy))));
    }

    private static String message(String unhealthy) {
        return unhealthy + " are not Ready, or vanished within 15 minutes: more than a tenth";
    }

    private static Arguments free(String name, ClusterBuilder facts) {
        return argumentSet(name, facts, Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void whileManyNodesAreLostNobodyIsMovedForAffinityOrSpread(ClusterBuilder facts, Optional<Hold> expected) {
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

    @ParameterizedTest
    @MethodSource("vanishing")
    void nodesThatVanishedLatelyAreLostOnes(Consumer<VanishedNodes> nodes, Optional<Instant> heldUntil) {
        ReferenceCluster referenceCluster =
                zones(EVENLY, fine("a", 8), fine("b", 8)).build();
        VanishedNodes vanished = new VanishedNodes();
        nodes.accept(vanished);
        Situation plain = situation(referenceCluster, new Moves());
        ClusterSignals clusterSignals = plain.clusterSignals();
        Situation situation = new Situation(
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

        Optional<Hold> hold =
                ShuffledPlanner.hold(new ClusterUnhealthyCheck(), candidate(referenceCluster, "web-1"), situation);

        assertThat(hold)
                .isEqualTo(heldUntil.map(
                        at -> Hold.until(Reason.CLUSTER_UNHEALTHY, message("2 of 18 nodes of the cluster"), at)));
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
