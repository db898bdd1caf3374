package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.asking;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.ofUnknownControllers;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Changes.replicaSetChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetGone;
import static dev.holdfast.policies.testing.Changes.statefulSetChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabelKeys;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Outcome;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests what follows an eviction: the move counts against the limits until the replacement is Ready, and futile moves
 * are recorded.
 */
class ReplacementTrackerTest {
    /**
     * {@return a scenario with pods of one workload on a node that lost the label that they need; n2 would take them}
     */
    private static EngineScenario broken(int pods) {
        ClusterBuilder facts = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", pods);
        for (int i = 1; i <= pods; i++) {
            facts.pod("web-" + i, on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"));
        }
        return EngineScenario.begin(facts, enforcing());
    }

    /** {@return the event that a pod of the workload is Ready on n2} */
    private static ClusterEvent readyOnN2(String name) {
        return podChanged(name, on("n2"), replicaOf("web"), nodeSelector("disk", "ssd"), resourceVersion(2));
    }

    @Test
    void theNextPodOfAWorkloadWaitsUntilTheReplacementOfTheFirstIsReady() {
        EngineScenario engineScenario = broken(2).replacingOn("n2", notReady());

        engineScenario.afterSeconds(300);
        assertThat(engineScenario.evicted()).containsExactly("web-1");
        assertThat(engineScenario.report(enforcing()).holds()).isEqualTo(Map.of(Reason.WORKLOAD_LIMIT, 1));
        engineScenario.happens(readyOnN2("web-1-r1")).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");
    }

    @Test
    void aReplacementThatIsNotReadyInTenMinutesMakesTheMoveFutileAndTheNextPodWaitsFiveMore() {
        EngineScenario engineScenario = broken(2).replacingOn("n2", notReady());

        engineScenario.afterSeconds(60 + 600 + 299);
        assertThat(engineScenario.evicted()).containsExactly("web-1");
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2");
        assertThat(engineScenario.events()).contains("Moved web-1 NOT_READY");
    }

    @Test
    void aReplacementThatIsThereBeforeTheAnswerIsStillTheReplacement() {
        EngineScenario engineScenario = broken(1).answeringLate().replacingOn("n2");

        engineScenario.afterSeconds(62);

        assertThat(engineScenario.events())
                .containsExactly(
                        "Started web-1",
                        "Evicting web-1",
                        "Ended web-1 EVICTED",
                        "Answered web-1",
                        "Moved web-1 MOVED");
    }

    @Test
    void aReplacementThatGoesBeforeItIsReadyIsFollowedByTheNextOne() {
        EngineScenario engineScenario = broken(1).replacingOn("n2", notReady());
        engineScenario.afterSeconds(61);

        engineScenario.happens(podGone("web-1-r1")).happens(readyOnN2("web-1-r2"));

        assertThat(engineScenario.events()).contains("Moved web-1 MOVED");
    }

    /**
     * {@return a cluster with pods of two workloads that must be in the zone of a cache, and are not: they have one
     * scope}
     */
    private static ClusterBuilder farFromCache() {
        return cluster()
                .node("a1", zone("a"))
                .node("b1", zone("b"))
                .replicaSet("api", 1)
                .replicaSet("web", 1)
                .pod("cache-1", on("b1"), replicaOf("cache"))
                .pod("api-1", on("a1"), replicaOf("api"), near(term(app("cache"), ZONE)))
                .pod("web-1", on("a1"), replicaOf("web"), near(term(app("cache"), ZONE)));
    }

    private static EngineScenario bothFarFromCache() {
        return EngineScenario.begin(farFromCache(), enforcing());
    }

    @Test
    void aScopeIsJudgedAgainAsSoonAsTheReplacementIsBoundReadyOrNot() {
        EngineScenario engineScenario = bothFarFromCache();

        engineScenario.afterSeconds(60 + 30);
        assertThat(engineScenario.evicted()).containsExactly("api-1");
        assertThat(engineScenario.report(enforcing()).holds()).isEqualTo(Map.of(Reason.MOVE_IN_SCOPE, 1));
        engineScenario
                .happens(podChanged("api-1-r1", on("b1"), replicaOf("api"), notReady(), near(term(app("cache"), ZONE))))
                .afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("api-1", "web-1");
    }

    @Test
    void aScopeWhoseReplacementHasNoNodeWithin120SIsJudgedAgainByItself() {
        EngineScenario engineScenario = bothFarFromCache();

        engineScenario.afterSeconds(60 + 119);
        assertThat(engineScenario.evicted()).containsExactly("api-1");
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("api-1", "web-1");
    }

    @Test
    void aScopeThatIsFreeAgainLeavesTheSlotsOfTheLimitsTakenUntilTheReplacementIsReady() {
        EngineScenario engineScenario = EngineScenario.begin(
                        EngineScenario.settings(new OperatorLimits(1, 120, 5, 2, 1)), farFromCache(), enforcing())
                .replacingOn("b1", notReady());

        engineScenario.afterSeconds(60 + 599);

        assertThat(engineScenario.evicted()).containsExactly("api-1");
        assertThat(engineScenario.report(enforcing()).holds()).isEqualTo(Map.of(Reason.CLUSTER_LIMIT, 1));
    }

    @Test
    void aMoveThatIsNotFollowedUpIsGone() {
        EngineScenario engineScenario =
                broken(1).afterSeconds(60).happens(replicaSetGone("web")).afterSeconds(2);

        assertThat(engineScenario.events()).contains("Moved web-1 GONE");
        assertThat(engineScenario.report(enforcing()).recent().getFirst().outcome())
                .contains(Outcome.GONE);
    }

    @Test
    void anOwnerThatWantsFewerPodsThanBeforeEndsTheMoveAsGone() {
        EngineScenario engineScenario =
                broken(2).happens(replicaSetChanged("web", "web", 1)).afterSeconds(60);

        assertThat(engineScenario.events()).contains("Moved web-1 GONE");
    }

    @Test
    void aReplacementIsJudgedByItsOwnLabelsWhereARuleTakesThemOver() {
        Rule.PodAffinity nearItsTrack =
                new Rule.PodAffinity(List.of(term(app("cache"), ZONE, matchLabelKeys("track"))));
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("a1", zone("a"))
                                .node("b1", zone("b"))
                                .replicaSet("web", 1)
                                .pod("cache-1", on("b1"), replicaOf("cache"), labels("track", "green"))
                                .pod("web-1", on("a1"), replicaOf("web"), labels("track", "blue")),
                        asking("near", nearItsTrack, WhenInfeasible.EVICT))
                .replacingOn("b1", labels("track", "green"));

        engineScenario.afterSeconds(120);

        assertThat(engineScenario.events()).contains("Moved web-1 MOVED");
    }

    @Test
    void aPolicyThatWasDeletedBeforeTheAnswerCameLeavesNoHistory() {
        EngineScenario engineScenario =
                broken(1).neverAnswering(Effect.Evict.class).replacingOn("n2").afterSeconds(60);
        engineScenario.event(new Event.PolicyRemoved(enforcing().id()));
        engineScenario.event(
                new Event.Answered(engineScenario.requests.getFirst().planId(), new EvictionAnswer.Evicted()));

        engineScenario.event(new Event.PolicyChanged(enforcing())).afterSeconds(1);

        assertThat(engineScenario.report(enforcing()).recent()).isEmpty();
    }

    @Test
    void movesThatHelpAreNotFutileHoweverMany() {
        EngineScenario engineScenario = broken(4).replacingOn("n2");

        engineScenario.afterSeconds(120);

        assertThat(engineScenario.evicted()).containsExactly("web-1", "web-2", "web-3", "web-4");
        assertThat(engineScenario.report(enforcing()).recent().stream()
                        .map(PolicyReport.EvictionRecord::outcome)
                        .flatMap(Optional::stream)
                        .toList())
                .isEqualTo(List.of(Outcome.MOVED, Outcome.MOVED, Outcome.MOVED, Outcome.MOVED));
    }

    /**
     * {@return a scenario with three pods of a controller of an unwatched kind, each on a node that lost the label that
     * the pod needs; n4 would take them}
     */
    private static EngineScenario brokenOfUnknownController() {
        ClusterBuilder facts = cluster().node("n4", labels("disk", "ssd"));
        for (int i = 1; i <= 3; i++) {
            facts.node("n" + i, labels("disk", "hdd"))
                    .pod(
                            "kafka-" + i,
                            on("n" + i),
                            nodeSelector("disk", "ssd"),
                            ownedBy("StrimziPodSet", "kafka", "kafka"));
        }
        return EngineScenario.begin(facts).event(new Event.PolicyChanged(enforcing(), ofUnknownControllers()));
    }

    @Test
    void podsOfAControllerOfAKindThatIsNotWatchedGoOneAfterAnother() {
        EngineScenario engineScenario = brokenOfUnknownController().replacingOn("n4", notReady());

        engineScenario.afterSeconds(300);
        assertThat(engineScenario.evicted()).containsExactly("kafka-1");
        engineScenario
                .happens(podChanged(
                        "kafka-1-r1",
                        on("n4"),
                        nodeSelector("disk", "ssd"),
                        ownedBy("StrimziPodSet", "kafka", "kafka")))
                .afterSeconds(300);

        assertThat(engineScenario.evicted()).containsExactly("kafka-1", "kafka-2");
        assertThat(engineScenario.events()).contains("Moved kafka-1 MOVED");
    }

    @Test
    void aPodOfAControllerThatIsNotWatchedAndNeverReplacedIsAwaitedTenMinutesAndItsMoveWasFutile() {
        EngineScenario engineScenario = brokenOfUnknownController();

        engineScenario.afterSeconds(60 + 600 + 299);
        assertThat(engineScenario.evicted()).containsExactly("kafka-1");
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("kafka-1", "kafka-2");
        assertThat(engineScenario.events()).contains("Moved kafka-1 NOT_READY");
    }

    @Test
    void theTimeOfAReplacementInAStatefulSetBeginsWhenTheVictimIsGone() {
        PodTrait[] db = {
            on("n1"),
            ownedBy("StatefulSet", "db", "db"),
            labels(StatefulSetRevisions.LABEL, "one"),
            nodeSelector("disk", "ssd")
        };
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"))
                                .with(statefulSetChanged(
                                        "db", 1, new StatefulSetRevisions(true, false, 0, 0, "one", "one")))
                                .pod("db-0", db),
                        enforcing())
                .afterSeconds(60);
        assertThat(engineScenario.evicted()).containsExactly("db-0");
        Instant deleted = EngineScenario.START.plusSeconds(60 + 1_800);

        engineScenario
                .happens(podChanged(
                        "db-0",
                        Stream.concat(Stream.of(db), Stream.of(terminating(deleted)))
                                .toArray(PodTrait[]::new)))
                .afterSeconds(1_800 + 599);
        assertThat(engineScenario.events()).doesNotContain("Moved db-0 NOT_READY");

        engineScenario.afterSeconds(1);
        assertThat(engineScenario.events()).contains("Moved db-0 NOT_READY");
    }

    @Test
    void aReplacementInViolationAgainIsFutileWhateverTheKindOfItsController() {
        EngineScenario engineScenario =
                brokenOfUnknownController().replacingOn("n1").afterSeconds(62);

        assertThat(engineScenario.events()).contains("Moved kafka-1 BROKEN_AGAIN");
    }

    @Test
    void ofFourPodsInOneZoneTwoLeaveWhateverTheKindOfTheirController() {
        PodTrait[] kafka = {
            on("a1"),
            labels("app", "kafka"),
            ownedBy("StrimziPodSet", "kafka", "kafka"),
            spread(maxSkew(1, ZONE, app("kafka")))
        };
        EngineScenario engineScenario = EngineScenario.begin(cluster()
                        .node("a1", zone("a"))
                        .node("b1", zone("b"))
                        .pod("kafka-1", kafka)
                        .pod("kafka-2", kafka)
                        .pod("kafka-3", kafka)
                        .pod("kafka-4", kafka))
                .event(new Event.PolicyChanged(enforcing(), ofUnknownControllers()))
                .replacingOn("b1");

        engineScenario.afterSeconds(3600);

        assertThat(engineScenario.evicted()).containsExactly("kafka-1", "kafka-2");
    }
}
