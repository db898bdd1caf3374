package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests that a 429 that names no disruption budget slows down all requests, and not only those for one pod. */
class ThrottlingTest {
    private static final Duration MINUTE = Duration.ofSeconds(60);

    private static EngineScenario due(int pods) {
        ClusterBuilder facts = cluster().node("n1", labels("disk", "hdd")).node("n2", labels("disk", "ssd"));
        for (int i = 0; i < pods; i++) {
            facts.pod("web-" + i, on("n1"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", "web-" + i, "rs-" + i));
        }
        return EngineScenario.begin(facts, enforcing()).replacingOn("n2");
    }

    @Test
    void aThrottledDryRunHoldsAllPodsForItsRetryAfterAndAtMostHalfAsLongAgain() {
        EngineScenario engineScenario = due(6).answeringDryRuns(_ -> new EvictionAnswer.Throttled(Optional.of(MINUTE)))
                .afterSeconds(60);
        int asked = engineScenario.dryRuns.size();
        assertThat(asked).as("the slow start allows two at a time").isLessThanOrEqualTo(2);

        engineScenario.answeringDryRuns(_ -> new EvictionAnswer.Evicted()).afterSeconds(59);

        assertThat(engineScenario.report(enforcing()).holds()).isEqualTo(Map.of(Reason.THROTTLED, 6));
        assertThat(engineScenario.heldBecause())
                .startsWith("the API server throttles requests, so no eviction is requested until 2026-11-20T12:02:");
        assertThat(engineScenario.dryRuns).hasSize(asked);
        assertThat(engineScenario.requests).isEmpty();
        engineScenario.afterSeconds(33);
        assertThat(engineScenario.requests).isNotEmpty();
    }

    @Test
    void aThrottledReadHoldsAllPodsToo() {
        EngineScenario engineScenario = due(6).reading(
                        confirm -> new Event.ConfirmFailed(confirm.planId(), Reason.THROTTLED, "GET: 429"))
                .afterSeconds(60);
        engineScenario.afterSeconds(600);

        assertThat(engineScenario.reads.size())
                .as("two at a time, after 1, 2, 4, 8, 16, 32, 60 ... seconds and up to half of it")
                .isBetween(16, 40);
        assertThat(engineScenario.dryRuns).isEmpty();
    }

    @Test
    void aMoveThatIsBetweenDryRunAndRequestWaitsTooWhenAnotherIsThrottled() {
        EngineScenario engineScenario = due(2).answeringDryRuns(
                        request -> request.pod().name().equals("web-0")
                                ? new EvictionAnswer.Throttled(Optional.of(MINUTE))
                                : new EvictionAnswer.Evicted())
                .afterSeconds(61);

        assertThat(engineScenario.dryRuns).hasSizeLessThanOrEqualTo(2);
        assertThat(engineScenario.requests.size() + engineScenario.dryRuns.size())
                .as("what was not asked before the first 429 is not asked after it")
                .isLessThanOrEqualTo(3);
        assertThat(engineScenario.report(enforcing()).holds()).containsKey(Reason.THROTTLED);
    }
}
