package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.edited;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.acknowledged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BrakeReport.Change;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.engine.report.ClockRestart;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests what a replica says of brakes while another one leads, and after it has taken over. Pods {@code web-1}, {@code
 * web-2} and so on, each of its own workload, need label {@code disk=ssd}. Node {@code spare} has room for all.
 */
class StandbyTest {
    private static final int PODS = 12;
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

    private static EngineScenario leader() {
        return EngineScenario.begin(SETTINGS, facts(), enforcing()).replacingOn("spare");
    }

    private static EngineScenario standbyOf(EngineScenario leader) {
        return leader.standby(SETTINGS).replacingOn("spare");
    }

    private static EngineScenario labelsLost(EngineScenario replica) {
        for (int i = 1; i <= PODS; i++) {
            replica.happens(nodeChanged("n" + i, labels("disk", "hdd")));
        }
        return replica.afterSeconds(10);
    }

    @Test
    void aBreakerIsReportedByTheLeaderAloneAndHasItsIdAfterATakeover() {
        EngineScenario leader = leader();
        EngineScenario standby = standbyOf(leader);
        standby.now = standby.now.plusSeconds(1);
        labelsLost(leader);
        labelsLost(standby);
        String id = leader.turns.getFirst().id();
        assertThat(standby.turns).isEmpty();
        assertThat(standby.openBreakers()).isEmpty();

        standby.afterSeconds(15).takesOverFrom(leader).after(Duration.ofDays(1));

        assertThat(standby.turns)
                .extracting(BreakerReport::change, BreakerReport::id)
                .containsExactly(tuple(Change.TAKEN_OVER, id));
        assertThat(standby.openBreakers())
                .isEqualTo(Map.of(Reason.LABEL_BREAKER, 1, Reason.VOLUME_BREAKER, 0, Reason.OUTCOME_BREAKER, 0));
        assertThat(standby.evicted()).isEmpty();
        standby.happens(acknowledged(id)).after(Duration.ofHours(1));
        assertThat(standby.turns)
                .extracting(BreakerReport::change)
                .containsExactly(Change.TAKEN_OVER, Change.ACKNOWLEDGED);
        assertThat(standby.evicted()).isNotEmpty();
    }

    @Test
    void aBreakerThatOpenedAfterTheLeaderHadDiedIsReportedAtTheTakeover() {
        EngineScenario leader = leader();
        EngineScenario standby = standbyOf(leader.afterSeconds(60));
        standby.afterSeconds(10);

        labelsLost(standby).takesOverFrom(leader).afterSeconds(600);

        assertThat(standby.turns).extracting(BreakerReport::change).containsExactly(Change.TAKEN_OVER);
        assertThat(standby.evicted()).isEmpty();
    }

    @Test
    void anAcknowledgementThatTheLeaderKnowsIsNotUnknownToAStandby() {
        EngineScenario leader = leader();
        EngineScenario standby = standbyOf(leader);
        labelsLost(leader);
        labelsLost(standby);
        String id = leader.turns.getFirst().id();
        leader.happens(acknowledged(id)).afterSeconds(30);
        standby.happens(acknowledged(id)).afterSeconds(45);

        standby.takesOverFrom(leader).after(Duration.ofHours(1));

        assertThat(standby.unknown).isEmpty();
        assertThat(standby.turns).isEmpty();
        assertThat(standby.evicted()).isNotEmpty();
    }

    @Test
    void aLeaderThatRegainsItsLeaseReportsOnlyWhatHappenedMeanwhile() {
        EngineScenario leader = labelsLost(leader());
        String id = leader.turns.getFirst().id();

        leader.event(new Event.LeadershipLost("the lease was not renewed", leader.now))
                .afterSeconds(5)
                .happens(acknowledged(id))
                .afterSeconds(5)
                .event(new Event.LeadershipRegained())
                .afterSeconds(5);

        assertThat(leader.turns)
                .extracting(BreakerReport::change, BreakerReport::id)
                .containsExactly(tuple(Change.OPENED, id), tuple(Change.ACKNOWLEDGED, id));
    }

    @Test
    void aTakeoverStartsNoClockAgainThatTheLeaderStored() {
        EngineScenario leader = leader();
        EngineScenario standby = standbyOf(leader);
        leader.happens(nodeChanged("n1", labels("disk", "hdd"))).afterSeconds(40);
        standby.happens(nodeChanged("n1", labels("disk", "hdd"))).afterSeconds(40);

        standby.afterSeconds(15).takesOverFrom(leader).afterSeconds(1);

        assertThat(standby.activity().clockRestarts().values()).allMatch(count -> count == 0);
    }

    @Test
    void aClockOfAnUnreadableLedgerStartsAgain() {
        EngineScenario leader = leader();
        EngineScenario standby = standbyOf(leader);
        standby.happens(nodeChanged("n1", labels("disk", "hdd"))).afterSeconds(40);
        leader.stored = Optional.of(new LedgerReading.Unreadable("its checksum is wrong"));

        standby.takesOverFrom(leader).afterSeconds(1);

        assertThat(standby.activity().clockRestarts()).containsEntry(ClockRestart.LEADERSHIP_GAINED, 1L);
    }

    static Stream<Arguments> withoutALedger() {
        return Stream.of(
                argumentSet("it has no place", new LedgerReading.NoMemory("no right to create configmaps"), 1L),
                argumentSet("it cannot be read yet", new LedgerReading.Failed("the API server is down"), 0L));
    }

    @ParameterizedTest
    @MethodSource("withoutALedger")
    void aForgivenessCountsFromTheTakeoverWithoutALedger(LedgerReading reading, long restarts) {
        EngineScenario leader = leader();
        EngineScenario standby = standbyOf(leader);
        standby.happens(nodeChanged("n1", labels("disk", "hdd"))).afterSeconds(90);
        leader.stored = Optional.of(reading);

        standby.takesOverFrom(leader).afterSeconds(1);

        Instant takeover = standby.now.minusSeconds(1);
        assertThat(standby.report(enforcing()).nextDeadline()).contains(takeover.plusSeconds(60));
        assertThat(standby.activity().clockRestarts().getOrDefault(ClockRestart.LEADERSHIP_GAINED, 0L))
                .isEqualTo(restarts);
    }

    @Test
    void restartsAreCountedAlsoIfItTurnsOutLaterThatThereIsNoPlaceForALedger() {
        EngineScenario leader = leader();
        EngineScenario standby = standbyOf(leader);
        standby.happens(nodeChanged("n1", labels("disk", "hdd"))).afterSeconds(90);
        leader.stored = Optional.of(new LedgerReading.Failed("the API server is down"));
        standby.takesOverFrom(leader).afterSeconds(1);

        standby.stored = Optional.of(new LedgerReading.NoMemory("no right to create configmaps"));
        standby.afterSeconds(3);

        assertThat(standby.activity().clockRestarts()).containsEntry(ClockRestart.LEADERSHIP_GAINED, 1L);
    }

    @Test
    void aBacklogIsReportedByTheLeaderAloneAndHasItsIdAfterATakeover() {
        ClusterBuilder facts = cluster().node("n1", labels("disk", "hdd")).node("spare", labels("disk", "ssd"));
        for (int i = 1; i <= PODS; i++) {
            facts.replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n1"), replicaOf("web-" + i), nodeSelector("disk", "ssd"));
        }
        EngineScenario leader =
                EngineScenario.begin(SETTINGS, facts, auditing()).afterSeconds(600);
        EngineScenario standby = standbyOf(leader);
        standby.now = standby.now.plusSeconds(1);
        leader.event(new Event.PolicyChanged(edited(enforcing()))).afterSeconds(10);
        standby.event(new Event.PolicyChanged(edited(enforcing()))).afterSeconds(10);
        String id = leader.backlogs.getFirst().id();
        assertThat(standby.backlogs).isEmpty();

        standby.afterSeconds(15).takesOverFrom(leader).after(Duration.ofHours(1));

        assertThat(standby.backlogs)
                .extracting(BacklogReport::change, BacklogReport::id)
                .containsExactly(tuple(Change.TAKEN_OVER, id));
        assertThat(standby.evicted()).isEmpty();
        standby.event(new Event.PolicyAcknowledged(enforcing().id(), Set.of(id)))
                .afterSeconds(120);
        assertThat(standby.evicted()).isNotEmpty();
    }
}
