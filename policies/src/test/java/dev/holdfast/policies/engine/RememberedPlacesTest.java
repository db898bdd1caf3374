package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.defaultCpuChanged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Changes.quotaChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.NodeTraits.allocatable;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.lifecycle;
import static dev.holdfast.policies.testing.NodeTraits.readyChanged;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.Templates.app;
import static dev.holdfast.policies.testing.Templates.replicaSetFrom;
import static dev.holdfast.policies.testing.Templates.requesting;
import static dev.holdfast.policies.testing.Templates.resizedTo;
import static dev.holdfast.policies.testing.Templates.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.NextRequests;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests how long the engine remembers that no node would take a pod: until something changes that may help, and for at
 * most 30 s. The pod on n1 needs an SSD and 3 cores; n2 has an SSD, and another pod on it leaves 2 of 4 cores.
 */
class RememberedPlacesTest {
    private static PodTrait cores(int cores) {
        Resources requests = new Resources(cores * 1_000L, 0, 0, 0, Map.of());
        return needing(new PodRequirements(requests, requests, List.of(), List.of()));
    }

    private static NodeTrait with(int cores) {
        return allocatable(new Resources(cores * 1_000L, 0, 0, 110, Map.of()));
    }

    private static EngineScenario full() {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"), with(4))
                                .node("n3", labels("disk", "ssd"), cordoned(), with(4))
                                .node("n4", labels("disk", "hdd"), with(4))
                                .node(
                                        "n6",
                                        labels("disk", "ssd"),
                                        lifecycle(NodeLifecycle.Condition.MAINTENANCE_PLANNED),
                                        with(4))
                                .replicaSet("web", 1)
                                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"), cores(3))
                                .pod("other", on("n2"), cores(2)),
                        enforcing())
                .afterSeconds(62);
        assertThat(engineScenario.holds()).containsExactly(Reason.INFEASIBLE);
        assertThat(engineScenario.reads).isEmpty();
        return engineScenario;
    }

    static Stream<Arguments> improvements() {
        return Stream.of(
                argumentSet("a pod left a full node", podGone("other")),
                argumentSet("a pod on a full node needs less", podChanged("other", on("n2"), cores(1))),
                argumentSet("a node is added", nodeChanged("n5", labels("disk", "ssd"), with(4))));
    }

    @ParameterizedTest
    @MethodSource("improvements")
    void thePodMovesWithinASecondAfter(ClusterEvent improvement) {
        EngineScenario engineScenario = full().happens(improvement).after(Duration.ofSeconds(1));

        assertThat(engineScenario.reads).hasSize(1);
    }

    /** The pod was resized in place, so its replacement needs what the template says. */
    @Test
    void thePodMovesWithinASecondAfterTheTemplateNeedsLess() {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"), with(4))
                                .with(replicaSetFrom("web", template(app(8_000))))
                                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"), resizedTo(100)),
                        enforcing())
                .afterSeconds(62);
        assertThat(engineScenario.holds()).containsExactly(Reason.INFEASIBLE);
        assertThat(engineScenario.reads).isEmpty();

        engineScenario.happens(replicaSetFrom("web", template(app(3_000)))).after(Duration.ofSeconds(1));

        assertThat(engineScenario.reads).hasSize(1);
    }

    @Test
    void thePodMovesWithinASecondAfterADefaultIsSmaller() {
        PodTrait bare = requesting(0, NextRequests.SAME, new Container("app", Role.APP, Map.of(), Map.of()));
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"), with(4))
                                .replicaSet("web", 1)
                                .with(defaultCpuChanged(8_000, 8_000))
                                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"), bare),
                        enforcing())
                .afterSeconds(62);
        assertThat(engineScenario.holds()).containsExactly(Reason.INFEASIBLE);
        assertThat(engineScenario.reads).isEmpty();

        engineScenario.happens(defaultCpuChanged(3_000, 3_000)).after(Duration.ofSeconds(1));

        assertThat(engineScenario.reads).hasSize(1);
    }

    static Stream<Arguments> settling() {
        return Stream.of(
                argumentSet("a node has more capacity", nodeChanged("n2", labels("disk", "ssd"), with(5))),
                argumentSet("a node is uncordoned", nodeChanged("n3", labels("disk", "ssd"), with(4))),
                argumentSet("a node's maintenance is called off", nodeChanged("n6", labels("disk", "ssd"), with(4))),
                argumentSet("a node has another label", nodeChanged("n4", labels("disk", "ssd"), with(4))));
    }

    /** The settle time is 60 s, and the results of searches count for 30 s. */
    @ParameterizedTest
    @MethodSource("settling")
    void thePodMovesWhenTheNodeHasSettledAfter(ClusterEvent improvement) {
        EngineScenario engineScenario = full().happens(improvement).afterSeconds(59);
        assertThat(engineScenario.reads).isEmpty();

        engineScenario.afterSeconds(32);

        assertThat(engineScenario.reads).hasSize(1);
    }

    static Stream<Arguments> others() {
        return Stream.of(
                argumentSet("a node is cordoned", nodeChanged("n4", labels("disk", "hdd"), with(4), cordoned())),
                argumentSet("a node is gone", nodeGone("n4")),
                argumentSet(
                        "a node is written again",
                        nodeChanged("n2", labels("disk", "ssd"), with(4), resourceVersion(2))),
                argumentSet("a quota is used", quotaChanged("q", "pods", 10, 3)),
                argumentSet("a pod arrives elsewhere", podChanged("more", on("n4"), cores(1))));
    }

    @ParameterizedTest
    @MethodSource("others")
    void itStaysHeldAfter(ClusterEvent change) {
        EngineScenario engineScenario = full().happens(change).afterSeconds(120);

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.INFEASIBLE);
        assertThat(engineScenario.report(enforcing()).holds()).isEqualTo(Map.of(Reason.INFEASIBLE, 1));
    }

    @Test
    void whatNoEventReportsHelpsAfter30Seconds() {
        EngineScenario engineScenario = full();
        // A node that the engine knows settles as time passes: no event says so.
        engineScenario.happens(nodeChanged("n5", labels("disk", "ssd"), with(4), unsettled()));
        assertThat(engineScenario.reads).isEmpty();

        engineScenario.afterSeconds(95);

        assertThat(engineScenario.reads).hasSize(1);
    }

    @Test
    void aNodeThatIsGoneAgainLeadsToNoPlan() {
        EngineScenario engineScenario = full().afterSeconds(5);
        Optional<Instant> lastPlan = engineScenario.activity().lastPlan();

        engineScenario.happens(nodeGone("unknown")).afterSeconds(2);

        assertThat(engineScenario.activity().lastPlan()).isEqualTo(lastPlan);
    }

    private static NodeTrait unsettled() {
        return readyChanged(EngineScenario.START.plusSeconds(62));
    }
}
