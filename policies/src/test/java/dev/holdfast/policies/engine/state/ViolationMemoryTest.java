package dev.holdfast.policies.engine.state;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.EngineScenario;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests that the engine stores nothing about violations, pods and nodes that no longer exist. */
class ViolationMemoryTest {
    private static final List<EvictionAnswer> ANSWERS = List.of(
            new EvictionAnswer.Evicted(),
            new EvictionAnswer.OutOfBudget("no", Optional.empty()),
            new EvictionAnswer.Unknown("timeout"),
            new EvictionAnswer.Failed("500"),
            new EvictionAnswer.Gone());

    @Test
    void afterAHistoryOfPodsThatCameBrokeWereRefusedHealedMovedAndWentNothingIsKept() {
        EngineScenario engineScenario = EngineScenario.begin(
                        EngineScenario.settingsWithout(Set.of(Reason.OUTCOME_BREAKER, Reason.SLOW_START)),
                        cluster().node("n1", labels("disk", "hdd")).node("n2", labels("disk", "ssd")),
                        enforcing())
                .replacingOn("n2");
        for (int i = 0; i < 50; i++) {
            EvictionAnswer answer = ANSWERS.get(i % ANSWERS.size());
            String web = "web-" + i;
            engineScenario
                    .answering(_ -> answer)
                    .happens(podChanged(web, on("n1"), replicaOf("rs-" + i), nodeSelector("disk", "ssd")))
                    .afterSeconds(70);
            engineScenario
                    .happens(nodeChanged("n1", labels("disk", i % 2 == 0 ? "ssd" : "hdd")))
                    .afterSeconds(70)
                    .happens(podGone(web))
                    .happens(nodeChanged("n1", labels("disk", "hdd")));
        }
        List.copyOf(engineScenario.truth.pods()).forEach(pod -> engineScenario.happens(podGone(pod.uid())));
        engineScenario.after(Duration.ofHours(50)).happens(nodeGone("n1"));
        engineScenario.after(Duration.ofHours(2)).happens(nodeChanged("n2", labels("disk", "ssd")));

        assertThat(engineScenario.requests).hasSizeGreaterThan(50);
        assertThat(engineScenario.engine.remembered()).isZero();
    }
}
