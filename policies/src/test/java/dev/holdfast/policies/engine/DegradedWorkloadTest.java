package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests when the hold of a workload that is not whole ends. */
class DegradedWorkloadTest {
    private static final PodTrait OF_A_CUSTOM_KIND = ownedBy("Rollout", "web", "r");

    private static final DisruptionControls A_TENTH = ControlsDraft.plain()
            .allowed(Set.of(Reason.UNKNOWN_CONTROLLER))
            .maxUnavailable(new MaxUnavailable.Percent(10))
            .controls();

    @Test
    void theHoldEndsWhenTheOtherPodIsReadyEvenIfNoControllerSaysSo() {
        EngineScenario engineScenario = EngineScenario.begin(cluster()
                        .node("n1", labels("disk", "hdd"))
                        .node("n2", labels("disk", "ssd"))
                        .pod("web", on("n1"), OF_A_CUSTOM_KIND, nodeSelector("disk", "ssd"))
                        .pod("other", on("n2"), OF_A_CUSTOM_KIND, notReady()))
                .event(new Event.PolicyChanged(enforcing(), A_TENTH))
                .after(Duration.ofMinutes(10));
        assertThat(engineScenario.held()).isEqualTo(Reason.WORKLOAD_DEGRADED);

        engineScenario.happens(podChanged("other", on("n2"), OF_A_CUSTOM_KIND)).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web");
    }
}
