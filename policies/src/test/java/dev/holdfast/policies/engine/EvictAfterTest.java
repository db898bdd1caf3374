package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.policy;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.marks;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.like;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.VolumeReach;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests {@code whenInfeasible: EvictAfter}: a pod that no other node would take is evicted after the ten minutes that
 * its policy sets.
 */
class EvictAfterTest {
    private static final int TEN_MINUTES = 600;

    /** The forgiveness in seconds. */
    private static final int MINUTE = 60;

    private static final ClusterEvent PLACE = nodeChanged("n2", labels("disk", "ssd"));

    private static Policy evictingAfter(int seconds) {
        return policy("web", Mode.ENFORCE, FORGIVENESS, WhenInfeasible.evictAfter(Duration.ofSeconds(seconds)));
    }

    private static EngineScenario broken(Policy... policies) {
        return EngineScenario.begin(
                cluster()
                        .node("n1", labels("disk", "hdd"))
                        .replicaSet("web", 1)
                        .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                policies);
    }

    @Test
    void itIsHeldForTenMinutesFromWhenItWasDueAndEvictedThen() {
        EngineScenario engineScenario = broken(evictingAfter(TEN_MINUTES)).afterSeconds(MINUTE + TEN_MINUTES - 1);
        assertThat(engineScenario.requests).isEmpty();
        assertThat(engineScenario.heldBecause())
                .isEqualTo(
                        "no other node would take the pod now: there is no other node; the pod is evicted nevertheless"
                                + " if this lasts until 2026-11-20T12:11:00Z");

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void ofTwoPoliciesThatAskForTheRuleTheShorterTimeCounts() {
        Policy slow = policy("slow", Mode.ENFORCE, FORGIVENESS, WhenInfeasible.evictAfter(Duration.ofDays(1)));

        EngineScenario engineScenario = broken(slow, evictingAfter(TEN_MINUTES)).afterSeconds(MINUTE + TEN_MINUTES);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void editsOfAnotherPolicyDoNotDelayIt() {
        EngineScenario engineScenario = broken(evictingAfter(TEN_MINUTES)).afterSeconds(MINUTE);

        for (int edit = 1; edit <= 9; edit++) {
            Policy other = policy("other", Mode.ENFORCE, Duration.ofDays(edit), WhenInfeasible.WAIT);
            engineScenario.event(new Event.PolicyChanged(other)).afterSeconds(MINUTE);
        }
        assertThat(engineScenario.requests).isEmpty();

        assertThat(engineScenario.afterSeconds(MINUTE).evicted()).containsExactly("web-1");
    }

    @Test
    void aSecondPolicyThatIsDueLaterWithAShorterTimeDoesNotDelayIt() {
        Policy early = evictingAfter(TEN_MINUTES);
        Policy late = policy(
                "late",
                Mode.ENFORCE,
                Duration.ofSeconds(MINUTE + TEN_MINUTES - 10),
                WhenInfeasible.evictAfter(Duration.ofSeconds(MINUTE)));

        EngineScenario engineScenario = broken(early, late).afterSeconds(MINUTE + TEN_MINUTES);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void anotherPolicyThatIsDueEarlierDoesNotHastenIt() {
        Policy early = policy("early", Mode.ENFORCE, FORGIVENESS, WhenInfeasible.WAIT);
        Policy late = policy(
                "late", Mode.ENFORCE, Duration.ofHours(1), WhenInfeasible.evictAfter(Duration.ofSeconds(TEN_MINUTES)));

        EngineScenario engineScenario = broken(early, late).afterSeconds(60 * MINUTE + TEN_MINUTES - 1);
        assertThat(engineScenario.requests).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web-1");
    }

    @Test
    void inAuditItIsShownThatItWouldBeAndGoesOnBeingShown() {
        Policy audit =
                policy("web", Mode.AUDIT, FORGIVENESS, WhenInfeasible.evictAfter(Duration.ofSeconds(TEN_MINUTES)));

        EngineScenario engineScenario = broken(audit).afterSeconds(MINUTE + 3 * TEN_MINUTES);

        assertThat(engineScenario.events())
                .containsExactly("Started web-1", "Held web-1 Infeasible", "WouldEvict web-1");
    }

    static Stream<Arguments> interruptions() {
        return Stream.of(
                row("nothing: evicted after ten minutes", engineScenario -> engineScenario, -5 * MINUTE),
                row(
                        "a node with room for a moment, while a budget allows no eviction",
                        EvictAfterTest::placeForAMoment,
                        0),
                row(
                        "the rule holds for a moment, and forgiveness restarts",
                        engineScenario -> engineScenario
                                .happens(nodeChanged("n1", labels("disk", "ssd")))
                                .happens(nodeChanged("n1", labels("disk", "hdd"))),
                        MINUTE),
                row(
                        "an edit that shortens the time, and restarts forgiveness",
                        engineScenario -> engineScenario.event(new Event.PolicyChanged(evictingAfter(TEN_MINUTES - 1))),
                        MINUTE - 1),
                row(
                        "another replica leads for a moment",
                        engineScenario -> engineScenario
                                .event(new Event.LeadershipLost("gone", EngineScenario.START))
                                .event(new Event.LeadershipGained()),
                        MINUTE),
                row(
                        "the pod gets another deletion cost: evicted after ten minutes",
                        engineScenario -> engineScenario.happens(podChanged(
                                "web-1",
                                like(engineScenario.truth.pod("web-1").orElseThrow()),
                                on("n1"),
                                annotated("controller.kubernetes.io/pod-deletion-cost", "7"))),
                        -5 * MINUTE),
                row(
                        "the pod's owner gets a deletion cost: evicted after ten minutes",
                        engineScenario -> engineScenario.happens(new ClusterEvent.OwnerChanged(new Owner(
                                "web",
                                "ReplicaSet",
                                new NamespacedName("shop", "web"),
                                Optional.empty(),
                                OptionalInt.of(1),
                                marks("controller.kubernetes.io/pod-deletion-cost", "7")))),
                        -5 * MINUTE),
                row(
                        "its namespace gets an acknowledging annotation: evicted after ten minutes",
                        engineScenario -> engineScenario.happens(new ClusterEvent.NamespaceChanged(
                                new Namespace("shop", 1, Labels.none(), marks("holdfast.dev/acknowledge", "pods@1")))),
                        -5 * MINUTE),
                row("a pause of four minutes", engineScenario -> paused(engineScenario, 4 * MINUTE), -9 * MINUTE),
                row("a pause of six minutes", engineScenario -> paused(engineScenario, 6 * MINUTE), 0));
    }

    private static Arguments row(String name, UnaryOperator<EngineScenario> interruption, int afterTenMinutes) {
        return argumentSet(name, interruption, TEN_MINUTES + afterTenMinutes);
    }

    private static EngineScenario placeForAMoment(EngineScenario engineScenario) {
        return engineScenario
                .answeringDryRuns(_ -> new EvictionAnswer.OutOfBudget("none left", Optional.empty()))
                .happens(PLACE)
                .afterSeconds(1)
                .happens(nodeGone("n2"))
                .answeringDryRuns(_ -> new EvictionAnswer.Evicted());
    }

    private static EngineScenario paused(EngineScenario engineScenario, int seconds) {
        return engineScenario
                .event(new Event.PauseChanged(
                        new Pause("stop", "we look", Optional.empty(), List.of(), Optional.empty())))
                .afterSeconds(seconds)
                .event(new Event.PauseRemoved("stop"));
    }

    @ParameterizedTest
    @MethodSource("interruptions")
    void whatInterruptsItAfterFiveMinutesStartsItFromZero(UnaryOperator<EngineScenario> interruption, int seconds) {
        EngineScenario engineScenario =
                interruption.apply(broken(evictingAfter(TEN_MINUTES)).afterSeconds(MINUTE + 5 * MINUTE));

        engineScenario.afterSeconds(seconds - 30);
        assertThat(engineScenario.requests).isEmpty();
        engineScenario.afterSeconds(60);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aMinuteInWhichItIsNotKnownWhereItsVolumeCanBeUsedStartsItFromZero() {
        NamespacedName claim = new NamespacedName("shop", "data");
        PodTrait claiming =
                needing(new PodRequirements(Resources.none(), Resources.none(), List.of(), List.of(claim.name())));
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .replicaSet("web", 1)
                                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"), claiming),
                        evictingAfter(TEN_MINUTES))
                .readingVolumes(_ -> new ClaimedVolume.OnDemand("fast", VolumeReach.everywhere(), "csi.example.com"))
                .afterSeconds(MINUTE + 5 * MINUTE);

        engineScenario
                .event(new Event.ClaimRead(claim, new ClaimedVolume.Unreadable("forbidden")))
                .afterSeconds(MINUTE + TEN_MINUTES - 1);
        assertThat(engineScenario.holds())
                .containsExactly(Reason.INFEASIBLE, Reason.VOLUME_UNREADABLE, Reason.INFEASIBLE);
        assertThat(engineScenario.requests).isEmpty();

        assertThat(engineScenario.afterSeconds(5).evicted()).containsExactly("web-1");
    }

    @Test
    void aPlaceThatIsGoneRightBeforeTheRequestBeginsIt() {
        EngineScenario engineScenario = broken(evictingAfter(TEN_MINUTES))
                .happens(PLACE)
                .duringReads(new Event.ObjectChanged(nodeGone("n2")))
                .afterSeconds(MINUTE);
        assertThat(engineScenario.held()).isEqualTo(Reason.INFEASIBLE);
        assertThat(engineScenario.requests).isEmpty();

        engineScenario.afterSeconds(TEN_MINUTES + 30);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }
}
