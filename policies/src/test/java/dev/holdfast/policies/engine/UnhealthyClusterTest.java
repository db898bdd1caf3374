package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.lifecycle;
import static dev.holdfast.policies.testing.NodeTraits.readyChanged;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that no pod is moved for a rule about other pods while many nodes are failing. */
class UnhealthyClusterTest {
    /**
     * {@return a cluster with a pod in zone a that must be in the zone of the cache, which is b; both zones have five
     * nodes}
     */
    private static ClusterBuilder awayFromItsCache() {
        ClusterBuilder facts = cluster();
        for (int i = 1; i <= 5; i++) {
            facts.node("a" + i, zone("a")).node("b" + i, zone("b"));
        }
        return facts.pod("cache-1", on("b1"), replicaOf("cache"))
                .pod("web-1", on("a1"), replicaOf("web"), near(term(app("cache"), ZONE)));
    }

    private static EngineScenario begin() {
        return EngineScenario.begin(awayFromItsCache(), enforcing());
    }

    @Test
    void itIsMovedAsSoonAsTheNodesAreBack() {
        EngineScenario engineScenario = begin().happens(nodeChanged("b4", zone("b"), notReady()))
                .happens(nodeChanged("b5", zone("b"), notReady()))
                .afterSeconds(3_600);
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.holds()).containsExactly(Reason.CLUSTER_UNHEALTHY);
        assertThat(engineScenario.heldBecause())
                .startsWith("2 of the 10 nodes that this rule counts in the cluster are not Ready");

        engineScenario.happens(nodeChanged("b5", zone("b"))).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void itIsMovedAQuarterOfAnHourAfterNodesHaveVanished() {
        EngineScenario engineScenario =
                begin().happens(nodeGone("b4")).happens(nodeGone("b5")).afterSeconds(899);
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.holds()).containsExactly(Reason.CLUSTER_UNHEALTHY);

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void nodesThatVanishedBeforeARestartHoldItForTheRestOfTheQuarterOfAnHour() {
        EngineSettings settings = EngineScenario.settings().withLedger();
        EngineScenario before = EngineScenario.begin(settings, awayFromItsCache(), enforcing())
                .happens(nodeGone("b4"))
                .happens(nodeGone("b5"))
                .afterSeconds(500);

        EngineScenario after = before.restarted(settings).afterSeconds(300);
        assertThat(after.evicted()).isEmpty();
        assertThat(after.holds()).contains(Reason.CLUSTER_UNHEALTHY);

        assertThat(after.afterSeconds(300).evicted()).containsExactly("web-1");
    }

    @Test
    void nodesThatAnAutoscalerTakesAwayHoldNoPod() {
        EngineScenario engineScenario = begin();
        for (String node : new String[] {"b4", "b5"}) {
            engineScenario
                    .happens(nodeChanged(node, zone("b"), tainted("ToBeDeletedByClusterAutoscaler", "", "NoSchedule")))
                    .afterSeconds(10)
                    .happens(nodeGone(node));
        }

        engineScenario.afterSeconds(40);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> stoppedOnPurpose() {
        return Stream.of(
                argumentSet(
                        "their virtual machines are stopped",
                        tainted("node.cloudprovider.kubernetes.io/shutdown", "", "NoSchedule")),
                argumentSet("they are cordoned", cordoned()),
                argumentSet("they are in maintenance", lifecycle(NodeLifecycle.Condition.MAINTENANCE_IN_PROGRESS)));
    }

    @ParameterizedTest
    @MethodSource("stoppedOnPurpose")
    void nodesThatAreStoppedOnPurposeAreLostForAQuarterOfAnHour(NodeTrait mark) {
        EngineScenario engineScenario = begin();
        for (String node : List.of("b4", "b5")) {
            engineScenario.happens(nodeChanged(node, zone("b"), notReady(), readyChanged(EngineScenario.START), mark));
        }
        engineScenario.afterSeconds(899);
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.holds()).containsExactly(Reason.CLUSTER_UNHEALTHY);

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void nodesThatAreNotReadyForWeeksHoldItAndTheMessageSaysWhatToDo() {
        EngineScenario engineScenario = begin();
        for (String node : List.of("b4", "b5")) {
            engineScenario.happens(nodeChanged(node, zone("b"), notReady(), readyChanged(EngineScenario.START)));
        }

        engineScenario.after(Duration.ofDays(14));

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.heldBecause())
                .isEqualTo("2 of the 10 nodes that this rule counts in the cluster are not Ready, or vanished within 15"
                        + " minutes: more than a tenth; repair these nodes, or delete or cordon those that will"
                        + " not come back");
    }

    @Test
    void aStoppedNodeIsNotHealthyEither() {
        EngineScenario engineScenario = begin();
        for (int i = 1; i <= 5; i++) {
            engineScenario.happens(nodeChanged(
                    "a" + i,
                    zone("a"),
                    notReady(),
                    cordoned(),
                    readyChanged(EngineScenario.START.minusSeconds(i == 1 ? 0 : 900))));
        }
        engineScenario
                .happens(nodeChanged("a1", zone("a")))
                .happens(nodeChanged("b4", zone("b"), notReady()))
                .happens(nodeChanged("b5", zone("b"), notReady()))
                .afterSeconds(60);

        assertThat(engineScenario.heldBecause()).startsWith("2 of the 6 nodes that this rule counts in the cluster");
    }

    @Test
    void nodesThatFailBetweenThePlanAndTheRequestAreSeen() {
        EngineScenario engineScenario = begin().duringDryRun(
                        new Event.ObjectChanged(nodeChanged("b4", zone("b"), notReady())),
                        new Event.ObjectChanged(nodeChanged("b5", zone("b"), notReady())))
                .afterSeconds(60);

        assertThat(engineScenario.dryRuns).hasSize(1);
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.CLUSTER_UNHEALTHY);
    }
}
