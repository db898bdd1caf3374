package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a move without an answer does not block its scope, its workload and its limits permanently. */
class OwedAnswerTest {
    private static EngineScenario broken() {
        return EngineScenario.begin(
                cluster()
                        .node("n1", labels("disk", "hdd"))
                        .node("n2", labels("disk", "ssd"))
                        .replicaSet("web", 1)
                        .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                enforcing());
    }

    static Stream<Arguments> owed() {
        return Stream.of(
                argumentSet("the reads", Effect.Confirm.class, "no answer to the reads within 60 s"),
                argumentSet("the dry run", Effect.DryRun.class, "no answer to the dry run within 60 s"));
    }

    @ParameterizedTest
    @MethodSource("owed")
    void withoutAnAnswerForAMinuteTheMoveIsHeldAndTriedAgain(Class<? extends Effect> silent, String message) {
        EngineScenario engineScenario = broken().neverAnswering(silent).afterSeconds(60 + 59);
        assertThat(engineScenario.holds()).isEmpty();

        engineScenario.afterSeconds(1);
        assertThat(engineScenario.holds()).containsExactly(Reason.API_ERROR);
        assertThat(engineScenario.heldBecause()).isEqualTo(message);
        engineScenario.answeringAgain().afterSeconds(2);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void anEvictionWithoutAnAnswerForAMinuteCountsAsUnknownAndIsTriedAgainAfterFourMore() {
        EngineScenario engineScenario =
                broken().neverAnswering(Effect.Evict.class).afterSeconds(60 + 299);
        assertThat(engineScenario.holds()).isEmpty();

        engineScenario.afterSeconds(1);
        assertThat(engineScenario.holds()).containsExactly(Reason.OUTCOME_UNKNOWN);
        engineScenario.afterSeconds(2);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-1");
    }

    @Test
    void anEvictionWithoutAnAnswerCountsAsMadeOnceItsPodIsGoneAfterAMinute() {
        EngineScenario engineScenario =
                broken().neverAnswering(Effect.Evict.class).afterSeconds(90);

        engineScenario.happens(podGone("web-1")).afterSeconds(30);

        assertThat(engineScenario.report(enforcing()).recent()).hasSize(1);
    }

    @Test
    void anAnswerThatComesAfterItsPodWasSeenToGoCountsOnce() {
        EngineScenario engineScenario =
                broken().neverAnswering(Effect.Evict.class).afterSeconds(90);
        engineScenario.happens(podGone("web-1")).afterSeconds(30);

        engineScenario.event(
                new Event.Answered(engineScenario.requests.getFirst().planId(), new EvictionAnswer.Evicted()));

        assertThat(engineScenario.report(enforcing()).recent()).hasSize(1);
        assertThat(engineScenario.events()).doesNotContain("Answered web-1");
    }

    @Test
    void aViolationThatHealedWhileAnAnswerWasOwedLeavesNothingBehind() {
        EngineScenario engineScenario =
                broken().neverAnswering(Effect.Evict.class).afterSeconds(90);
        engineScenario.happens(nodeChanged("n1", labels("disk", "ssd"))).afterSeconds(300);
        assertThat(engineScenario.holds()).isEmpty();

        engineScenario.happens(nodeChanged("n1", labels("disk", "hdd"))).afterSeconds(60 + 300);
        assertThat(engineScenario.holds()).containsExactly(Reason.OUTCOME_UNKNOWN);
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.requests)
                .as("after the same wait as the first time")
                .hasSize(3);
    }
}
