package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.edited;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.testing.Changes.acknowledged;
import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests what a restart does not undo. Pods {@code web-1}, {@code web-2} and so on, each of its own workload, need label
 * {@code disk=ssd}, which their nodes have until a test takes it away. Node {@code spare} has room for all.
 */
class LedgerTest {
    private static final int PODS = 10;
    private static final EngineSettings SETTINGS = EngineScenario.settings().withLedger();

    private static ClusterBuilder facts() {
        ClusterBuilder facts = cluster().node("spare", labels("disk", "ssd"));
        for (int i = 1; i <= PODS; i++) {
            facts.node("n" + i, labels("disk", "ssd"))
                    .replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n" + i), replicaOf("web-" + i), nodeSelector("disk", "ssd"));
        }
        return facts;
    }

    /** {@return the same, with 40 other nodes, so that a few losses of the label open no breaker} */
    private static ClusterBuilder manyNodes() {
        ClusterBuilder facts = facts();
        IntStream.rangeClosed(1, 40).forEach(i -> facts.node("other-" + i, labels("disk", "ssd", "pool", "other")));
        return facts;
    }

    private static EngineScenario begin() {
        return EngineScenario.begin(SETTINGS, facts(), enforcing()).replacingOn("spare");
    }

    private static EngineScenario losing(EngineScenario engineScenario, int from, int to) {
        for (int i = from; i <= to; i++) {
            engineScenario.happens(nodeChanged("n" + i, labels("disk", "hdd")));
        }
        return engineScenario;
    }

    private static EngineScenario restarted(EngineScenario engineScenario) {
        return engineScenario.restarted(SETTINGS).replacingOn("spare");
    }

    private static EngineSettings without(Reason... reasons) {
        return EngineScenario.settingsWithout(Set.of(reasons)).withLedger();
    }

    @Test
    void anOpenBreakerStaysOpenWithTheSameId() {
        EngineScenario before = losing(begin(), 1, 6).afterSeconds(10);
        BreakerReport opened = before.turns.getFirst();

        EngineScenario after = restarted(before).after(Duration.ofDays(2));

        assertThat(after.requests).isEmpty();
        assertThat(Set.copyOf(after.holds())).containsExactly(Reason.LABEL_BREAKER);
        assertThat(after.turns)
                .extracting(BreakerReport::change, BreakerReport::id)
                .containsExactly(tuple(BrakeReport.Change.TAKEN_OVER, opened.id()));
    }

    @Test
    void aBreakerThatWasAcknowledgedWhileNoOperatorRanCloses() {
        EngineScenario before = losing(begin(), 1, 6).afterSeconds(10);
        before.happensUnseen(acknowledged(before.turns.getFirst().id()));

        EngineScenario after = restarted(before).after(Duration.ofHours(2));

        assertThat(after.turns)
                .extracting(BreakerReport::change)
                .containsExactly(BrakeReport.Change.TAKEN_OVER, BrakeReport.Change.ACKNOWLEDGED);
        assertThat(after.evicted()).isNotEmpty();
    }

    @Test
    void lossesOfLabelsBeforeAndAfterARestartCountTogether() {
        EngineScenario before = losing(begin(), 1, 2).afterSeconds(10);

        EngineScenario after = losing(restarted(before), 3, 3).after(Duration.ofHours(2));

        assertThat(after.turns).extracting(BreakerReport::change).containsExactly(BrakeReport.Change.OPENED);
        assertThat(after.turns.getFirst().message()).startsWith("label disk=ssd left 3 of 11 nodes");
    }

    /** Nodes are deleted, and made again without the label: before a restart, during it, or afterwards. */
    @Test
    void nodesThatAreMadeAgainWithoutALabelHaveLostItEvenAcrossARestart() {
        EngineScenario before = begin();
        for (int i = 1; i <= 3; i++) {
            before.happens(nodeGone("n" + i));
        }
        before.afterSeconds(70).happensUnseen(nodeChanged("n1", labels("disk", "hdd")));

        EngineScenario after = restarted(before);
        losing(after, 2, 3).after(Duration.ofHours(2));

        assertThat(after.turns).extracting(BreakerReport::change).containsExactly(BrakeReport.Change.OPENED);
        assertThat(after.turns.getFirst().message()).startsWith("label disk=ssd left 3 of 11 nodes");
        assertThat(after.evicted()).isEmpty();
    }

    @Test
    void aResumptionGoesOnAtItsPace() {
        EngineScenario before = losing(begin(), 1, 6).afterSeconds(10);
        before.happens(acknowledged(before.turns.getFirst().id())).afterSeconds(60);
        assertThat(before.evicted()).hasSize(1);

        EngineScenario after = restarted(before).after(Duration.ofMinutes(8));

        assertThat(after.evicted()).isEmpty();
        assertThat(after.after(Duration.ofMinutes(9)).evicted()).hasSize(2);
    }

    @Test
    void aBacklogStaysWithTheSameIdUntilItIsAcknowledged() {
        ClusterBuilder facts = cluster().node("n1", labels("disk", "hdd")).node("spare", labels("disk", "ssd"));
        for (int i = 1; i <= 11; i++) {
            facts.replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n1"), replicaOf("web-" + i), nodeSelector("disk", "ssd"));
        }
        EngineScenario before = EngineScenario.begin(SETTINGS, facts, auditing())
                .afterSeconds(600)
                .event(new Event.PolicyChanged(enforcing()))
                .afterSeconds(10);
        BacklogReport told = before.backlogs.getFirst();

        EngineScenario after = restarted(before).after(Duration.ofHours(1));

        assertThat(after.requests).isEmpty();
        assertThat(Set.copyOf(after.holds())).containsExactly(Reason.POLICY_BACKLOG);
        assertThat(after.backlogs)
                .extracting(BacklogReport::change, BacklogReport::id)
                .containsExactly(tuple(BrakeReport.Change.TAKEN_OVER, told.id()));
        after.event(new Event.PolicyAcknowledged(enforcing().id(), Set.of(told.id())))
                .afterSeconds(120);
        assertThat(after.evicted()).isNotEmpty();
    }

    /** The first start over pods that violate their rules waits for a person. */
    private static void acknowledge(EngineScenario engineScenario) {
        engineScenario.event(new Event.PolicyAcknowledged(
                enforcing().id(), Set.of(engineScenario.backlogs.getLast().id())));
    }

    private static ClusterBuilder elevenBroken() {
        ClusterBuilder facts = cluster().node("n1", labels("disk", "hdd")).node("spare", labels("disk", "ssd"));
        for (int i = 1; i <= 11; i++) {
            facts.replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n1"), replicaOf("web-" + i), nodeSelector("disk", "ssd"));
        }
        return facts;
    }

    /** The ledger has only 50 of them, and the next process makes the others again. */
    @Test
    void noBacklogOfANamespaceWithVeryManyIsLifted() {
        List<Policy> enforcing = IntStream.rangeClosed(1, 60)
                .mapToObj(i -> enforcing("web-" + i, Duration.ofSeconds(60)))
                .toList();
        EngineScenario before = EngineScenario.begin(SETTINGS, elevenBroken()).afterSeconds(600);
        enforcing.forEach(policy -> before.event(new Event.PolicyChanged(policy)));
        before.afterSeconds(10);
        assertThat(before.backlogs).hasSize(60);

        EngineScenario after = restarted(before).after(Duration.ofHours(1));

        assertThat(after.requests).isEmpty();
        assertThat(after.backlogs)
                .extracting(BacklogReport::policy)
                .containsExactlyInAnyOrderElementsOf(
                        enforcing.stream().map(Policy::id).toList());
        assertThat(before.written.getLast().brakes().backlogs()).hasSize(50);
    }

    /** A user caps the mode for safety, which restarts the operator: that is no acknowledgement. */
    @Test
    void aBacklogOutlivesAProcessThatMayOnlyAudit() {
        EngineScenario before = EngineScenario.begin(SETTINGS, elevenBroken(), auditing())
                .afterSeconds(600)
                .event(new Event.PolicyChanged(enforcing()))
                .afterSeconds(10);
        BacklogReport told = before.backlogs.getFirst();

        EngineScenario audits = before.restartedToAudit(SETTINGS).afterSeconds(600);
        EngineScenario after = restarted(audits).after(Duration.ofHours(1));

        assertThat(audits.backlogs).extracting(BacklogReport::change).containsExactly(BrakeReport.Change.TAKEN_OVER);
        assertThat(after.requests).isEmpty();
        assertThat(after.backlogs)
                .extracting(BacklogReport::change, BacklogReport::id)
                .containsExactly(tuple(BrakeReport.Change.TAKEN_OVER, told.id()));
    }

    /** A user edits a policy in the same commit that upgrades the operator. */
    @Test
    void anEditThatNoOperatorSawMakesABacklog() {
        EngineScenario before =
                EngineScenario.begin(SETTINGS, elevenBroken(), auditing()).afterSeconds(600);

        EngineScenario after = restarted(before.knowing(new Event.PolicyChanged(edited(enforcing()))))
                .after(Duration.ofHours(1));

        assertThat(after.requests).isEmpty();
        assertThat(after.backlogs).extracting(BacklogReport::change).containsExactly(BrakeReport.Change.OPENED);
    }

    static Stream<Arguments> dips() {
        return Stream.of(
                argumentSet("for four minutes, so that it is no beginning", Duration.ofMinutes(4), 0),
                argumentSet("for six minutes, so that it is one", Duration.ofMinutes(6), 1));
    }

    /** The right to evict is missing for a while, and the process ends meanwhile. */
    @ParameterizedTest
    @MethodSource("dips")
    void aProcessEndsWhileItMayNotEvict(Duration dip, int backlogs) {
        EngineScenario before =
                EngineScenario.begin(SETTINGS, elevenBroken(), enforcing()).afterSeconds(10);
        acknowledge(before);
        before.afterSeconds(10)
                .event(new Event.ModeCapped(Mode.AUDIT, "the right is missing"))
                .happens(nodeChanged("n1", labels("disk", "hdd", "cpu", "new")))
                .after(dip);

        EngineScenario after = restarted(before).after(Duration.ofMinutes(30));

        assertThat(after.backlogs).hasSize(backlogs);
        assertThat(after.evicted().isEmpty()).isEqualTo(backlogs > 0);
    }

    @Test
    void aRestartAloneMakesNoBacklog() {
        EngineScenario before =
                EngineScenario.begin(SETTINGS, elevenBroken(), enforcing()).afterSeconds(10);
        acknowledge(before);

        EngineScenario after = restarted(before.afterSeconds(10)).after(Duration.ofHours(1));

        assertThat(after.backlogs).isEmpty();
        assertThat(after.evicted()).isNotEmpty();
    }

    /** 60 pods of three namespaces break their rule at once, and nothing else. */
    private static ClusterBuilder threeNamespaces() {
        ClusterBuilder facts = cluster().node("spare", labels("disk", "ssd")).node("n1", labels("disk", "ssd"));
        for (String namespace : List.of("a", "b", "c")) {
            for (int i = 1; i <= 60; i++) {
                facts.pod("web-" + namespace + i, in(namespace), on("n1"), nodeSelector("disk", "ssd"));
            }
        }
        return facts;
    }

    @Test
    void anOpenVolumeBreakerStaysOpenUntilEnoughPodsHaveHealed() {
        EngineScenario before = EngineScenario.begin(SETTINGS, threeNamespaces(), everywhere(enforcing()))
                .happens(nodeChanged("n1", labels("disk", "hdd")))
                .afterSeconds(10);
        assertThat(before.turns).extracting(BreakerReport::reason).containsExactly(Reason.VOLUME_BREAKER);

        EngineScenario after = before.restarted(SETTINGS).after(Duration.ofHours(1));

        assertThat(after.turns)
                .extracting(BreakerReport::change, BreakerReport::id)
                .containsExactly(tuple(
                        BrakeReport.Change.TAKEN_OVER, before.turns.getFirst().id()));
        after.happens(nodeChanged("n1", labels("disk", "ssd"))).afterSeconds(1);
        assertThat(after.turns)
                .extracting(BreakerReport::change)
                .containsExactly(BrakeReport.Change.TAKEN_OVER, BrakeReport.Change.HEALED);
    }

    /** The ledger could not be written, and then another lead begins: what this process knows is newer. */
    @Test
    void aBrakeThatCouldNotBeWrittenStaysWhenThisReplicaLeadsAgain() {
        EngineScenario engineScenario = EngineScenario.begin(SETTINGS, threeNamespaces(), everywhere(enforcing()))
                .afterSeconds(60)
                .failingToWrite("etcd is full")
                .happens(nodeChanged("n1", labels("disk", "hdd")))
                .afterSeconds(200);
        assertThat(engineScenario.turns).extracting(BreakerReport::change).containsExactly(BrakeReport.Change.OPENED);

        String id = engineScenario.turns.getFirst().id();

        engineScenario
                .writingAgain()
                .event(new Event.LeadershipLost("the lease was deleted", engineScenario.now))
                .event(new Event.LeadershipGained())
                .after(Duration.ofHours(1));

        assertThat(engineScenario.turns)
                .extracting(BreakerReport::change, BreakerReport::id)
                .containsExactly(tuple(BrakeReport.Change.OPENED, id), tuple(BrakeReport.Change.TAKEN_OVER, id));
        assertThat(engineScenario.written.getLast().brakes().volume()).isPresent();
    }

    @Test
    void anOutcomeBreakerThatCouldNotBeWrittenStaysWhenThisReplicaLeadsAgain() {
        EngineScenario engineScenario = EngineScenario.begin(SETTINGS, manyNodes(), enforcing());
        losing(engineScenario, 1, 2).after(Duration.ofMinutes(30));
        losing(engineScenario, 3, 3).after(Duration.ofMinutes(2));
        assertThat(engineScenario.evicted()).hasSize(3);
        engineScenario.failingToWrite("etcd is full").after(Duration.ofMinutes(20));
        assertThat(engineScenario.turns).extracting(BreakerReport::change).containsExactly(BrakeReport.Change.OPENED);

        String id = engineScenario.turns.getFirst().id();

        engineScenario
                .writingAgain()
                .event(new Event.LeadershipLost("the lease was deleted", engineScenario.now))
                .event(new Event.LeadershipGained());
        losing(engineScenario, 4, 4).after(Duration.ofHours(2));

        assertThat(engineScenario.evicted()).hasSize(3);
        assertThat(engineScenario.held()).isEqualTo(Reason.OUTCOME_BREAKER);
        assertThat(engineScenario.turns)
                .as("the breaker and its id are the same")
                .extracting(BreakerReport::change, BreakerReport::id)
                .containsExactly(tuple(BrakeReport.Change.OPENED, id), tuple(BrakeReport.Change.TAKEN_OVER, id));
    }

    /** After a recall, the answer to a request of the time before may still come. */
    @Test
    void aLateRefusalOfARecalledMoveDropsIt() {
        EngineScenario engineScenario = losing(begin().neverAnswering(Effect.Evict.class), 1, 1)
                .afterSeconds(61)
                .answeringAgain();
        String plan = engineScenario.requests.getFirst().planId();
        engineScenario
                .event(new Event.LeadershipLost("the lease was deleted", engineScenario.now))
                .event(new Event.LeadershipGained())
                .afterSeconds(1);

        engineScenario.event(new Event.Answered(plan, new EvictionAnswer.Conflict("the pod changed")));

        assertThat(engineScenario.activity().inFlight()).isZero();
    }

    @Test
    void theSecondObjectIsWrittenTooWhenNothingChangesAnyMore() {
        EngineScenario engineScenario = begin().afterSeconds(60);
        int written = engineScenario.written.size();

        losing(engineScenario, 1, 1).afterSeconds(30);

        assertThat(engineScenario.written.subList(written, engineScenario.written.size()))
                .hasSize(2)
                .satisfies(both -> assertThat(both.getFirst()).isEqualTo(both.getLast()));
    }

    @Test
    void aBrakeIsWrittenAtOnceThoughAnotherChangeWasWrittenJustBefore() {
        EngineScenario engineScenario = losing(begin().afterSeconds(60), 1, 2).after(Duration.ofMillis(300));
        int written = engineScenario.written.size();

        losing(engineScenario, 3, 3).after(Duration.ofMillis(300));

        assertThat(engineScenario.written).hasSize(written + 1);
        assertThat(engineScenario.written.getLast().brakes().labels()).hasSize(1);
    }

    @Test
    void theEvictionsOfTheLastHourCountAfterARestart() {
        EngineSettings threeAnHour =
                EngineScenario.settings(new OperatorLimits(10, 3, 3, 3, 3)).withLedger();
        EngineScenario before =
                EngineScenario.begin(threeAnHour, manyNodes(), enforcing()).replacingOn("spare");
        losing(before, 1, 2).after(Duration.ofMinutes(20));
        assertThat(before.evicted()).hasSize(2);

        EngineScenario after = before.restarted(threeAnHour).replacingOn("spare");
        for (int i = 3; i <= 5; i++) {
            after.happens(nodeChanged("n" + i, labels("disk", "hdd"))).after(Duration.ofMinutes(2));
        }
        after.afterSeconds(120);

        assertThat(after.evicted()).hasSize(1);
    }

    @Test
    void aMoveWhoseReplacementNeverCameBlocksItsWorkloadAfterARestart() {
        ClusterBuilder facts = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "hdd"))
                .node("spare", labels("disk", "ssd"))
                .replicaSet("web", 2)
                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"))
                .pod("web-2", on("n2"), replicaOf("web"), nodeSelector("disk", "ssd"));
        EngineScenario before =
                EngineScenario.begin(SETTINGS, facts, enforcing()).afterSeconds(100);
        assertThat(before.evicted()).hasSize(1);

        EngineScenario after = before.restarted(SETTINGS).after(Duration.ofMinutes(8));

        assertThat(after.requests).isEmpty();
        assertThat(after.activity().inFlight()).isEqualTo(1);
        after.after(Duration.ofMinutes(3));
        assertThat(after.events()).contains("Moved " + evictedPod(before) + " NOT_READY");
    }

    private static String evictedPod(EngineScenario engineScenario) {
        return engineScenario.requests.getFirst().pod().name();
    }

    @Test
    void aReplacementThatCameWhileNoOperatorRanEndsTheMove() {
        EngineScenario before = losing(EngineScenario.begin(SETTINGS, facts(), enforcing()), 1, 1)
                .afterSeconds(100);
        before.happensUnseen(podChanged(
                "web-1-r", on("spare"), replicaOf("web-1"), nodeSelector("disk", "ssd"), created(before.now)));

        EngineScenario after = before.restarted(SETTINGS).afterSeconds(5);

        assertThat(after.events()).contains("Moved web-1 MOVED");
        assertThat(after.activity().inFlight()).isZero();
    }

    static Stream<Arguments> killedAt() {
        return Stream.of(
                argumentSet("while the move was written", Effect.WriteLedger.class),
                argumentSet("while its pod was read", Effect.Confirm.class),
                argumentSet("while the dry run was made", Effect.DryRun.class));
    }

    /** Kill -9 before the request: the pod is not evicted twice, and the move is made again later. */
    @ParameterizedTest
    @MethodSource("killedAt")
    void aMoveThatWasOnlyAnnouncedIsWatchedForFourMinutes(Class<? extends Effect> silent) {
        EngineScenario before =
                losing(begin(), 1, 1).afterSeconds(59).neverAnswering(silent).afterSeconds(2);
        assertThat(before.requests).isEmpty();

        EngineScenario after = restarted(before).afterSeconds(239);
        assertThat(after.requests).isEmpty();
        assertThat(after.activity().inFlight()).isEqualTo(1);

        assertThat(after.afterSeconds(60).evicted()).containsExactly("web-1");
    }

    /** Kill -9 between the request and its answer: the eviction counts, whatever was written last. */
    @Test
    void anEvictionWithoutAnAnswerCountsOnceThePodIsGone() {
        EngineScenario before =
                losing(begin().neverAnswering(Effect.Evict.class), 1, 1).afterSeconds(61);
        assertThat(before.requests).hasSize(1);
        before.happensUnseen(podGone(before.requests.getFirst().uid()));

        EngineScenario after = restarted(before).afterSeconds(1);

        assertThat(after.activity().evictionsInHour()).isEqualTo(1);
        assertThat(after.activity().inFlight()).isEqualTo(1);
    }

    @Test
    void futileMovesInARowCountAfterARestart() {
        EngineSettings settings = without(Reason.INFEASIBLE, Reason.OUTCOME_BREAKER);
        EngineScenario engineScenario = EngineScenario.begin(settings, facts(), enforcing());
        for (int i = 1; i <= 5; i++) {
            engineScenario = losing(engineScenario.replacingOn("n1"), 1, 1).after(Duration.ofHours(2));
            engineScenario = engineScenario.restarted(settings);
        }

        engineScenario.replacingOn("n1").after(Duration.ofHours(6));

        assertThat(engineScenario.holds()).contains(Reason.FUTILE);
    }

    @Test
    void failedMovesInARowOpenTheirBreakerAcrossARestart() {
        EngineScenario before = EngineScenario.begin(SETTINGS, manyNodes(), enforcing());
        losing(before, 1, 2).after(Duration.ofMinutes(30));
        assertThat(before.evicted()).hasSize(2);
        assertThat(before.turns).isEmpty();

        EngineScenario after = losing(before.restarted(SETTINGS), 3, 4).after(Duration.ofHours(3));

        assertThat(after.evicted()).hasSize(1);
        assertThat(after.turns)
                .extracting(BreakerReport::reason, BreakerReport::change)
                .containsExactly(tuple(Reason.OUTCOME_BREAKER, BrakeReport.Change.OPENED));
    }

    @Test
    void aLateReplacementClosesABreakerThatAnEarlierProcessOpened() {
        EngineScenario before = EngineScenario.begin(SETTINGS, manyNodes(), enforcing());
        losing(before, 1, 2).after(Duration.ofMinutes(30));
        losing(before, 3, 3).after(Duration.ofHours(1));
        assertThat(before.turns).hasSize(1);

        EngineScenario after = before.restarted(SETTINGS).afterSeconds(5);
        after.happens(podChanged(
                        "web-1-r", on("spare"), replicaOf("web-1"), nodeSelector("disk", "ssd"), created(after.now)))
                .afterSeconds(5);

        assertThat(after.turns)
                .extracting(BreakerReport::change)
                .containsExactly(BrakeReport.Change.TAKEN_OVER, BrakeReport.Change.HEALED);
    }

    @Test
    void noPodMovesBeforeTheLedgerIsRead() {
        EngineScenario engineScenario = begin();
        engineScenario.stored = Optional.of(new LedgerReading.Failed("the API server is down"));

        EngineScenario after = losing(restarted(engineScenario), 1, 1).after(Duration.ofMinutes(10));

        assertThat(after.requests).isEmpty();
        assertThat(after.heldBecause())
                .isEqualTo("the ledger of earlier moves and brakes cannot be read: the API server is down");
        after.stored = Optional.empty();
        assertThat(after.afterSeconds(5).evicted()).containsExactly("web-1");
    }

    /** With thousands of due violations a second plan would wait for seconds. */
    @Test
    void aNewLeaderPlansFirstWhenTheLedgerIsReadOrAfterTwoSeconds() {
        EngineScenario leader = losing(begin(), 1, 1).afterSeconds(30);
        EngineScenario waiting = leader.standby(SETTINGS).afterSeconds(90).neverAnswering(Effect.ReadLedger.class);
        EngineScenario answered = leader.standby(SETTINGS).afterSeconds(90);
        int told = waiting.told.size();

        waiting.takesOverFrom(leader).after(Duration.ofMillis(1_999));
        assertThat(waiting.told).hasSize(told);
        assertThat(waiting.after(Duration.ofMillis(1)).held()).isEqualTo(Reason.LEDGER_UNREAD);

        assertThat(answered.takesOverFrom(leader).holds()).doesNotContain(Reason.LEDGER_UNREAD);
    }

    @Test
    void noPodMovesWhileTheLedgerCannotBeWritten() {
        EngineScenario engineScenario = begin().failingToWrite("etcd is full");

        losing(engineScenario, 1, 1).after(Duration.ofMinutes(10));

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.heldBecause())
                .isEqualTo("no move is begun that a restart would forget: etcd is full");
        assertThat(engineScenario.writingAgain().afterSeconds(6).evicted()).containsExactly("web-1");
    }

    @Test
    void aLedgerThatCannotBeReadCountsWhatIsBrokenAsIfItBrokeNow() {
        ClusterBuilder facts = cluster().node("n1", labels("disk", "hdd")).node("spare", labels("disk", "ssd"));
        for (int i = 1; i <= 11; i++) {
            facts.replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n1"), replicaOf("web-" + i), nodeSelector("disk", "ssd"));
        }
        EngineScenario before = EngineScenario.begin(SETTINGS, facts, enforcing());
        before.stored = Optional.of(new LedgerReading.Unreadable("it is damaged"));

        EngineScenario after = restarted(before).after(Duration.ofHours(1));

        assertThat(after.requests).isEmpty();
        assertThat(after.held()).isEqualTo(Reason.POLICY_BACKLOG);
    }

    @Test
    void eachPolicySaysThatTheLedgerWasLostUntilOneForgivenessHasPassed() {
        Policy ofCluster = everywhere(enforcing());
        EngineScenario before = EngineScenario.begin(SETTINGS, facts(), enforcing(), ofCluster);
        before.stored = Optional.of(new LedgerReading.Unreadable("ConfigMap holdfast-ledger-0: it is damaged"));
        Instant lost = before.now.truncatedTo(ChronoUnit.SECONDS);

        EngineScenario after = restarted(before).afterSeconds(50);

        String waits = ". Earlier violations wait for a full forgiveness, until " + lost.plusSeconds(60)
                + " at the latest. Many of them together need an acknowledgement";
        assertThat(after.report(ofCluster).lostLedger())
                .contains("the ledger of earlier breakers, limits and clocks was lost at " + lost
                        + ": ConfigMap holdfast-ledger-0: it is damaged" + waits);
        assertThat(after.report(enforcing()).lostLedger())
                .contains("the ledger of earlier breakers, limits and clocks was lost at " + lost + waits);
        after.afterSeconds(20);
        assertThat(after.report(enforcing()).lostLedger()).isEmpty();
        assertThat(after.report(ofCluster).lostLedger()).isEmpty();
    }

    @Test
    void aProcessWithoutMemoryMovesPodsAndWritesNothing() {
        EngineScenario before = begin();
        before.stored = Optional.of(new LedgerReading.NoMemory("no right to make it"));

        EngineScenario after = losing(restarted(before), 1, 1).afterSeconds(61);

        assertThat(after.evicted()).containsExactly("web-1");
        assertThat(after.written).isEmpty();
    }

    @Test
    void aNamespaceThatAPauseBeginsToSelectIsWritten() {
        EngineScenario engineScenario = begin();
        engineScenario
                .event(new Event.PauseChanged(new Pause(
                        "freeze",
                        "quarter end",
                        Optional.of(matcher(matchLabels("team", "blue"))),
                        List.of(),
                        Optional.empty())))
                .afterSeconds(60);
        assertThat(paused(engineScenario)).containsExactly(Optional.of(List.of()));

        engineScenario.happens(namespaceChanged("data", labels("team", "blue"))).afterSeconds(60);
        assertThat(paused(engineScenario)).containsExactly(Optional.of(List.of("data")));

        engineScenario.happens(namespaceChanged("data", labels("team", "red"))).afterSeconds(60);
        assertThat(paused(engineScenario)).containsExactly(Optional.of(List.of()));
    }

    private static List<Optional<List<String>>> paused(EngineScenario engineScenario) {
        return engineScenario.written.getLast().brakes().pauses().orElseThrow().stream()
                .map(RememberedBrakes.Paused::namespaces)
                .toList();
    }

    @Test
    void nothingIsWrittenWhileNothingChanges() {
        EngineScenario engineScenario = losing(begin(), 1, 1).after(Duration.ofMinutes(20));
        assertThat(engineScenario.evicted()).hasSize(1);
        int written = engineScenario.written.size();

        engineScenario.after(Duration.ofHours(3));

        assertThat(engineScenario.written).hasSize(written);
    }

    @Test
    void aStormOfChangesIsWrittenAtMostOnceInFiveSeconds() {
        EngineScenario engineScenario = begin().afterSeconds(60);
        int before = engineScenario.written.size();
        for (int i = 0; i < 600; i++) {
            engineScenario
                    .happens(nodeChanged("n1", labels("disk", i % 2 == 0 ? "hdd" : "ssd")))
                    .after(Duration.ofMillis(100));
        }

        assertThat(engineScenario.written.size() - before).isBetween(11, 13);
    }

    /** The time of the write says until when domains were watched, so it is made though the text is the same. */
    @Test
    void changesOfNodesAloneAreWrittenAfterAMinute() {
        EngineScenario engineScenario = begin().after(Duration.ofMinutes(5));
        int before = engineScenario.written.size();
        for (int i = 0; i < 30; i++) {
            engineScenario
                    .happens(nodeChanged("new-" + i, labels("pool", "new")))
                    .afterSeconds(10);
        }
        engineScenario.after(Duration.ofMinutes(2));

        // Each minute twice, into both objects.
        assertThat(engineScenario.written.size() - before).isBetween(10, 16);
    }

    @Test
    void whatIsLeftIsWrittenWhenTheProcessEnds() {
        EngineScenario before = begin().afterSeconds(60);
        losing(before, 1, 2);
        int written = before.written.size();
        losing(before, 3, 3).event(new Event.Ending());

        assertThat(before.written).hasSize(written + 1);
        assertThat(restarted(before).afterSeconds(1).turns)
                .extracting(BreakerReport::change)
                .containsExactly(BrakeReport.Change.TAKEN_OVER);
    }

    static Stream<Arguments> stagesBeforeTheRequest() {
        return Stream.of(
                argumentSet("it is announced", Effect.WriteLedger.class),
                argumentSet("its pod is read", Effect.Confirm.class),
                argumentSet("its dry run is running", Effect.DryRun.class));
    }

    /** Its eviction is not requested any more, so the next process need not watch its pod. */
    @ParameterizedTest
    @MethodSource("stagesBeforeTheRequest")
    void aProcessThatEndsForgetsAMoveWhile(Class<? extends Effect> unanswered) {
        EngineScenario before =
                losing(begin().afterSeconds(60), 1, 1).afterSeconds(30).neverAnswering(unanswered);
        for (int i = 0; i < 600 && lastWritten(before).moves().isEmpty(); i++) {
            before.afterSeconds(1);
        }
        assertThat(lastWritten(before).moves()).hasSize(1);

        before.event(new Event.Ending());

        assertThat(lastWritten(before).moves()).isEmpty();
        assertThat(before.requests).isEmpty();
    }

    private static Ledger lastWritten(EngineScenario engineScenario) {
        return engineScenario.written.isEmpty() ? Ledger.empty() : engineScenario.written.getLast();
    }

    /** The edit came after the leader's last write, and the standby has seen it. */
    @Test
    void anEditThatTheStandbySawMakesNoBacklog() {
        EngineScenario leader =
                EngineScenario.begin(SETTINGS, elevenBroken(), enforcing()).afterSeconds(10);
        acknowledge(leader);
        leader.afterSeconds(10);
        EngineScenario standby = leader.standby(SETTINGS).replacingOn("spare");
        leader.afterSeconds(20);
        standby.afterSeconds(21).event(new Event.PolicyChanged(edited(enforcing())));

        standby.afterSeconds(2).takesOverFrom(leader).afterSeconds(10);

        assertThat(standby.backlogs).isEmpty();
    }

    /** It may find a place later, and must say in the lease that it led. */
    @Test
    void aProcessWithoutMemoryReadsTheLedgerEachTimeItLeads() {
        EngineScenario before = losing(begin(), 1, 6).afterSeconds(10);
        EngineScenario without = begin();
        without.event(new Event.LeadershipLost("the lease was deleted", without.now));
        without.stored = Optional.of(new LedgerReading.NoMemory("no right to create configmaps"));
        without.event(new Event.LeadershipGained()).event(new Event.LeadershipLost("ended", without.now));

        without.takesOverFrom(before).afterSeconds(2);

        assertThat(without.turns)
                .extracting(BreakerReport::change, BreakerReport::id)
                .contains(tuple(
                        BrakeReport.Change.TAKEN_OVER, before.turns.getFirst().id()));
    }

    @Test
    void aReplicaThatNoLongerLeadsKeepsTheLatestReportsOnly() {
        EngineScenario engineScenario = begin();
        engineScenario.event(new Event.LeadershipLost("the lease was not renewed", engineScenario.now));
        for (int i = 0; i < 1_100; i++) {
            engineScenario.event(new Event.PolicyAcknowledged(enforcing().id(), Set.of("unknown@" + i)));
        }

        engineScenario.afterSeconds(2).event(new Event.LeadershipRegained()).afterSeconds(1);

        assertThat(engineScenario.unknown).hasSize(1_000);
    }

    @Test
    void aLeaderThatLedAllTheTimeGoesOnWithWhatItKnows() {
        EngineScenario engineScenario = losing(begin(), 1, 6).afterSeconds(10);
        engineScenario.event(new Event.LeadershipLost("the lease was not renewed", engineScenario.now));
        engineScenario.stored = Optional.of(new LedgerReading.Failed("a reading is not expected"));

        engineScenario.event(new Event.LeadershipRegained()).after(Duration.ofHours(1));

        assertThat(Set.copyOf(engineScenario.holds())).contains(Reason.LABEL_BREAKER);
        assertThat(engineScenario.held()).isEqualTo(Reason.LABEL_BREAKER);
    }
}
