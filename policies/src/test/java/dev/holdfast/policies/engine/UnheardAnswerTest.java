package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests eviction requests that fail without an answer. A pod that the cache still has may be gone, because a watch that
 * was cut off looks alive for minutes.
 */
class UnheardAnswerTest {
    /**
     * {@return a scenario with two replicas that are both due after a minute; the eviction request for the first one
     * then fails without an answer}
     */
    private static EngineScenario brokenOff() {
        return EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"))
                                .replicaSet("web", 2)
                                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"))
                                .pod("web-2", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                        enforcing())
                .answering(_ -> new EvictionAnswer.Unknown("broken off"))
                .afterSeconds(60)
                .answering(_ -> new EvictionAnswer.Evicted());
    }

    /** {@return the scenario of {@link #brokenOff}, but the first pod is gone, and the watch has not delivered that} */
    private static EngineScenario evictedUnseen() {
        return brokenOff().happensUnseen(podGone("web-1"));
    }

    @Test
    void aPodThatWasToGoCountsForNoReplicaAsLongAsItsWatchMayBeCutOff() {
        EngineScenario engineScenario = evictedUnseen().afterSeconds(239);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
        assertThat(engineScenario.report(enforcing()).holds()).containsKey(Reason.WORKLOAD_LIMIT);
    }

    @Test
    void aPodThatIsStillThereAfterFourMinutesWasNotEvictedAndAnotherMayGo() {
        EngineScenario engineScenario = brokenOff().afterSeconds(240);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void whileAViewIsLostNoReportSaysThatItDidNotHappen(View view) {
        EngineScenario engineScenario = evictedUnseen().loses(view).afterSeconds(3600);

        engineScenario
                .happens(podGone("web-1"))
                .event(new Event.ViewSynced(view))
                .afterSeconds(60);

        assertThat(engineScenario.report(enforcing()).recent())
                .as("the eviction counts for the hourly limit and in the history")
                .hasSize(1);
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> comingBack() {
        return Stream.of(
                argumentSet("pods: not before four minutes after the sync", View.PODS, 239, false),
                argumentSet("pods: four minutes after the sync", View.PODS, 240, true),
                argumentSet(
                        "another view: at once when it is synced, because pods were watched all the time",
                        View.PAUSES,
                        0,
                        true));
    }

    @ParameterizedTest
    @MethodSource("comingBack")
    void afterAViewComesBackAPodThatIsStillThereIsWatchedAsLongAsAfterTheRequest(
            View view, long seconds, boolean over) {
        EngineScenario engineScenario =
                brokenOff().loses(view).afterSeconds(600).event(new Event.ViewSynced(view));

        engineScenario.afterSeconds(seconds);

        assertThat(engineScenario.evicted()).hasSize(over ? 2 : 1);
    }

    @Test
    void anEvictionFoundOutAfterAnOutageIsFollowedUp() {
        EngineScenario engineScenario =
                evictedUnseen().loses(View.PODS).afterSeconds(120).happens(podGone("web-1"));

        engineScenario
                .happens(podChanged("web-1-new", on("n2"), replicaOf("web"), nodeSelector("disk", "ssd")))
                .event(new Event.ViewSynced(View.PODS));

        assertThat(engineScenario.events()).contains("Ended web-1 EVICTED", "Moved web-1 MOVED");
    }
}
