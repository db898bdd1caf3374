package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.allocatable;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the free capacity of n2, which is kept from plan to plan: pods on n2 request 2 of 4 cores, and the pod to move
 * needs 3.
 */
class KeptRoomTest {
    private static final PodTrait THREE = cores(3);

    private static PodTrait cores(int cores) {
        Resources requests = new Resources(cores * 1_000L, 0, 0, 0, Map.of());
        return needing(new PodRequirements(requests, requests, List.of(), List.of()));
    }

    private static NodeTrait with(int cores) {
        return allocatable(new Resources(cores * 1_000L, 0, 0, 110, Map.of()));
    }

    private static ClusterEvent widened() {
        return nodeChanged("n2", labels("disk", "ssd"), with(5));
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                row("nothing", 0),
                row("the other pod is deleted", 1, podGone("other")),
                row("the other pod finishes", 1, podChanged("other", on("n2"), cores(2), phase(Phase.SUCCEEDED))),
                row("the other pod is resized", 1, podChanged("other", on("n2"), cores(1))),
                row("the node gets more capacity", 1, widened()),
                row(
                        "a pod arrives before the node gets more capacity",
                        0,
                        podChanged("late", on("n2"), cores(1)),
                        widened()),
                row(
                        "a pending pod is bound there before the node gets more capacity",
                        0,
                        podChanged("late", cores(1)),
                        podChanged("late", on("n2"), cores(1)),
                        widened()));
    }

    private static Arguments row(String name, int moved, ClusterEvent... events) {
        return argumentSet(name, moved, List.of(events));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aPlanKnowsOfRoomAsItIsNow(int moved, List<ClusterEvent> events) {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"), with(4))
                                .replicaSet("web", 1)
                                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"), THREE)
                                .pod("other", on("n2"), cores(2)),
                        enforcing())
                .afterSeconds(60);
        assertThat(engineScenario.holds()).containsExactly(Reason.INFEASIBLE);
        assertThat(engineScenario.reads).isEmpty();

        events.forEach(engineScenario::happens);
        // A node with more capacity takes pods after the settle time of 60 s.
        engineScenario.afterSeconds(91);

        assertThat(engineScenario.reads).hasSize(moved);
    }
}
