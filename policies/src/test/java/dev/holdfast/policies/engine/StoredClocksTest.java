package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.edited;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.bound;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.like;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ledger.ClockShard;
import dev.holdfast.policies.engine.protocol.ledger.ClockWrite;
import dev.holdfast.policies.engine.protocol.ledger.RememberedClock;
import dev.holdfast.policies.engine.report.ClockRestart;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.RuleIdentity;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that clocks go on after a restart, and never too early. Pod web-1 breaks its rule 60 s after the start, and its
 * policy forgives that for 300 s.
 */
class StoredClocksTest {
    private static final EngineSettings SETTINGS = EngineScenario.settings().withLedger();
    private static final Duration FORGIVENESS = Duration.ofMinutes(5);
    private static final Policy POLICY = enforcing("web", FORGIVENESS);
    private static final Instant BROKEN = EngineScenario.START.plusSeconds(60);

    private static ClusterBuilder facts() {
        return cluster()
                .node("n1", labels("disk", "ssd"))
                .node("spare", labels("disk", "ssd"))
                .replicaSet("web", 1)
                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"));
    }

    private static EngineScenario broken() {
        return broken(POLICY);
    }

    private static EngineScenario broken(Policy policy) {
        return EngineScenario.begin(SETTINGS, facts(), policy)
                .afterSeconds(60)
                .happens(nodeChanged("n1", labels("disk", "hdd")));
    }

    /** {@return the next process, which starts after a time in which none ran} */
    private static EngineScenario restarted(EngineScenario before, Duration away) {
        return before.away(away).restarted(SETTINGS).replacingOn("spare");
    }

    /** {@return how long after the rule broke the pod is evicted; it must be within an hour} */
    private static Duration evictedAfter(EngineScenario engineScenario) {
        for (int i = 0; i < 36_000 && engineScenario.requests.isEmpty(); i++) {
            engineScenario.after(Duration.ofMillis(100));
        }
        assertThat(engineScenario.evicted()).containsExactly("web-1");
        return Duration.between(BROKEN, engineScenario.now);
    }

    @Test
    void aClockGoesOnAfterAShortGapWhichAddsNothing() {
        EngineScenario before = broken().afterSeconds(200);

        Duration evicted = evictedAfter(restarted(before, Duration.ofSeconds(20)));

        assertThat(evicted).isBetween(FORGIVENESS.plusSeconds(20), FORGIVENESS.plusSeconds(26));
    }

    @Test
    void aGracefulEndCostsNoFurtherTime() {
        EngineScenario before = broken().afterSeconds(203).event(new Event.Ending());

        Duration evicted = evictedAfter(restarted(before, Duration.ofSeconds(20)));

        assertThat(evicted).isBetween(FORGIVENESS.plusSeconds(20), FORGIVENESS.plusSeconds(21));
    }

    private static EngineScenario leader() {
        return EngineScenario.begin(SETTINGS, facts(), POLICY).afterSeconds(30);
    }

    private static EngineScenario breaks(EngineScenario engineScenario) {
        return engineScenario
                .afterSeconds(30)
                .happens(nodeChanged("n1", labels("disk", "hdd")))
                .afterSeconds(100);
    }

    /** A second replica that watched all the time takes over: there is no gap for it. */
    @Test
    void aReplicaThatWatchedMeanwhileAddsNothing() {
        EngineScenario leader = leader();
        EngineScenario standby = leader.standby(SETTINGS).replacingOn("spare");
        breaks(leader);
        breaks(standby).afterSeconds(15).takesOverFrom(leader);

        assertThat(evictedAfter(standby)).isBetween(FORGIVENESS, FORGIVENESS.plusSeconds(1));
    }

    /**
     * The standby found the violation when it started, and its watch is lost for 24 s after the leader's last write.
     */
    @Test
    void aGapOfTheStandbyAfterTheLastWriteAddsNothing() {
        EngineScenario leader = breaks(leader());
        EngineScenario standby = leader.standby(SETTINGS).replacingOn("spare").afterSeconds(61);
        leader.afterSeconds(60);
        standby.loses(View.NODES, standby.now)
                .afterSeconds(24)
                .event(new Event.ViewSynced(View.NODES))
                .afterSeconds(4)
                .takesOverFrom(leader);

        assertThat(evictedAfter(standby)).isBetween(FORGIVENESS.plusSeconds(24), FORGIVENESS.plusSeconds(30));
    }

    @Test
    void aReplicaThatSawTheViolationHealCountsFromItsNewBeginning() {
        EngineScenario leader = leader();
        EngineScenario standby = leader.standby(SETTINGS).replacingOn("spare");
        breaks(leader);
        breaks(standby)
                .afterSeconds(1)
                .happens(nodeChanged("n1", labels("disk", "ssd")))
                .happens(nodeChanged("n1", labels("disk", "hdd")))
                .afterSeconds(14)
                .takesOverFrom(leader);

        assertThat(evictedAfter(standby)).isGreaterThanOrEqualTo(FORGIVENESS.plusSeconds(101));
    }

    @Test
    void anAnnotationThatWasRemovedMeanwhileStartsTheClockAgain() {
        EngineScenario before = broken().happens(podChanged(
                        "web-1",
                        on("n1"),
                        replicaOf("web"),
                        nodeSelector("disk", "ssd"),
                        annotated("holdfast.dev/forgiveness-seconds", "400")))
                .afterSeconds(200);
        before.happensUnseen(podChanged("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")));

        Duration evicted = evictedAfter(restarted(before, Duration.ofSeconds(10)));

        assertThat(evicted).isGreaterThanOrEqualTo(FORGIVENESS.plusSeconds(210));
    }

    @Test
    void otherSettingsOfTheOperatorStartTheClockAgain() {
        EngineSettings protectsMore = new EngineSettings(
                        SETTINGS.operatorLimits(),
                        ProtectedPods.in(Set.of("kube-system", "another")),
                        SETTINGS.exemptNamespaces(),
                        SETTINGS.replacementTimes(),
                        SETTINGS.breakers())
                .withLedger();
        EngineScenario before = broken().afterSeconds(200).away(Duration.ofSeconds(10));

        EngineScenario after = before.restarted(protectsMore).replacingOn("spare");

        assertThat(evictedAfter(after)).isGreaterThanOrEqualTo(FORGIVENESS.plusSeconds(210));
    }

    @Test
    void aClockGoesOnThoughTheRightToEvictIsKnownLast() {
        EngineScenario before = broken().afterSeconds(200).away(Duration.ofSeconds(20));

        EngineScenario after = before.restartedBeforeItMayEvict(SETTINGS).replacingOn("spare");

        assertThat(evictedAfter(after)).isBetween(FORGIVENESS.plusSeconds(20), FORGIVENESS.plusSeconds(26));
    }

    /** A pod of the workload that was created while no operator ran: the workload settles first. */
    @Test
    void aWorkloadThatChangedMeanwhileSettlesFirst() {
        EngineScenario before = broken().afterSeconds(250).away(Duration.ofSeconds(20));
        before.happensUnseen(
                podChanged("web-2", on("spare"), replicaOf("web"), nodeSelector("disk", "ssd"), created(before.now)));

        EngineScenario after = before.restarted(SETTINGS).replacingOn("spare").afterSeconds(60);

        assertThat(after.requests).isEmpty();
        assertThat(after.held()).isEqualTo(Reason.WORKLOAD_UNSETTLED);
    }

    static Stream<Arguments> longGaps() {
        return Stream.of(
                argumentSet("of more than a minute", Duration.ofMinutes(20), Duration.ofSeconds(61)),
                argumentSet(
                        "of more than a fifth of the forgiveness", Duration.ofSeconds(100), Duration.ofSeconds(21)));
    }

    @ParameterizedTest
    @MethodSource("longGaps")
    void aClockStartsAgainAfterALongGap(Duration forgiveness, Duration gap) {
        EngineScenario before = broken(enforcing("web", forgiveness)).afterSeconds(60);

        EngineScenario after = restarted(before, gap);

        assertThat(evictedAfter(after))
                .isBetween(
                        forgiveness.plusSeconds(60).plus(gap),
                        forgiveness.plusSeconds(61).plus(gap));
        assertThat(after.activity().clockRestarts()).containsEntry(ClockRestart.OPERATOR_AWAY, 1L);
    }

    static Stream<Arguments> unseen() {
        UnaryOperator<EngineScenario> edited =
                it -> it.knowing(new Event.PolicyChanged(edited(POLICY), DisruptionControls.plain()));
        UnaryOperator<EngineScenario> madeAgain =
                it -> it.knowing(new Event.PolicyChanged(POLICY, DisruptionControls.plain(), "another"));
        UnaryOperator<EngineScenario> forgetting = it -> {
            it.shards.clear();
            return it;
        };
        return Stream.of(
                argumentSet("an edit of the policy", edited),
                argumentSet("a policy that was deleted and made again", madeAgain),
                argumentSet("clocks that were deleted", forgetting),
                argumentSet("a clock of another rule", clocks(it -> clock(it, "other", it.observed()))));
    }

    private static UnaryOperator<EngineScenario> clocks(UnaryOperator<RememberedClock> edit) {
        return engineScenario -> {
            engineScenario.shards.replaceAll((_, shard) ->
                    new ClockShard(shard.clocks().stream().map(edit).toList(), shard.until()));
            return engineScenario;
        };
    }

    private static RememberedClock clock(RememberedClock like, String rule, Duration observed) {
        return new RememberedClock(
                like.podUid(), new RuleIdentity(rule), like.policy(), like.version(), like.forgiveness(), observed);
    }

    /** What no operator saw starts the clock again. */
    @ParameterizedTest
    @MethodSource("unseen")
    void theClockStartsAgainAfter(UnaryOperator<EngineScenario> unseen) {
        EngineScenario before = unseen.apply(broken().afterSeconds(200));

        Duration evicted = evictedAfter(restarted(before, Duration.ofSeconds(10)));

        assertThat(evicted).isBetween(FORGIVENESS.plusSeconds(210), FORGIVENESS.plusSeconds(211));
    }

    @Test
    void aForgedClockLetsAPodGoThatHasBeenBoundForLong() {
        EngineScenario before = clocks(it -> clock(it, it.rule().hash(), Duration.ofSeconds(1_000_000_000)))
                .apply(broken().afterSeconds(10));

        EngineScenario after = restarted(before, Duration.ofSeconds(10)).afterSeconds(1);

        assertThat(after.evicted()).containsExactly("web-1");
    }

    /**
     * The pod was bound 60 s before the rule broke. That counts as 2 s later, because clocks are compared to a second.
     */
    @Test
    void aForgedClockLetsNoPodGoBeforeItHasBeenBoundForAsLong() {
        ClusterBuilder facts = cluster()
                .node("n1", labels("disk", "ssd"))
                .node("spare", labels("disk", "ssd"))
                .replicaSet("web", 1)
                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"), bound(BROKEN.minusSeconds(60)));
        EngineScenario before = EngineScenario.begin(SETTINGS, facts, POLICY)
                .afterSeconds(60)
                .happens(nodeChanged("n1", labels("disk", "hdd")))
                .afterSeconds(10);
        EngineScenario forged = clocks(it -> clock(it, it.rule().hash(), Duration.ofSeconds(1_000_000_000)))
                .apply(before);

        Duration evicted = evictedAfter(restarted(forged, Duration.ofSeconds(10)));

        assertThat(evicted).isBetween(FORGIVENESS.minusSeconds(58), FORGIVENESS.minusSeconds(57));
    }

    @Test
    void aViolationThatHealedAndBrokeAgainHasANewClock() {
        EngineScenario before = broken().afterSeconds(200)
                .happens(nodeChanged("n1", labels("disk", "ssd")))
                .afterSeconds(6)
                .happens(nodeChanged("n1", labels("disk", "hdd")))
                .afterSeconds(6);

        Duration evicted = evictedAfter(restarted(before, Duration.ofSeconds(10)));

        assertThat(evicted).isGreaterThanOrEqualTo(FORGIVENESS.plusSeconds(206 + 10));
    }

    @Test
    void aPodThatIsKeptHasNoStoredClock() {
        EngineScenario before = broken().happens(podChanged(
                        "web-1",
                        on("n1"),
                        replicaOf("web"),
                        nodeSelector("disk", "ssd"),
                        annotated("holdfast.dev/keep", "true")))
                .afterSeconds(200);
        before.happensUnseen(podChanged("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")));

        Duration evicted = evictedAfter(restarted(before, Duration.ofSeconds(10)));

        assertThat(evicted).isGreaterThanOrEqualTo(FORGIVENESS.plusSeconds(210));
    }

    @Test
    void whileAViewIsMissingNothingIsKnownToRun() {
        EngineScenario before = broken().afterSeconds(100).loses(View.PODS);
        int writes = before.clockWrites.size();
        before.afterSeconds(50);

        assertThat(before.clockWrites).hasSize(writes);
    }

    @Test
    void withoutClocksNothingIsWritten() {
        EngineScenario engineScenario =
                EngineScenario.begin(SETTINGS, facts(), POLICY).afterSeconds(30);
        int writes = engineScenario.clockWrites.size();

        engineScenario.after(Duration.ofHours(2));

        assertThat(engineScenario.clockWrites).hasSize(writes);
    }

    @Test
    void clocksOfAuditedRulesAreNotWritten() {
        EngineScenario engineScenario = broken(auditing()).afterSeconds(100);

        assertThat(engineScenario.clockWrites)
                .allSatisfy(write -> assertThat(write.changed().values())
                        .allSatisfy(clocks -> assertThat(clocks).isEmpty()));
    }

    @Test
    void whileAClockRunsUnchangedPartsAreOnlyConfirmedEachFiveSeconds() {
        EngineScenario engineScenario = broken().afterSeconds(60);
        List<ClockWrite> writes = engineScenario.clockWrites;
        int before = writes.size();

        engineScenario.afterSeconds(100);

        assertThat(writes.size() - before).isEqualTo(20);
        assertThat(writes.subList(before, writes.size())).allSatisfy(write -> {
            assertThat(write.changed()).isEmpty();
            assertThat(write.unchanged()).hasSize(1);
        });
    }

    @Test
    void aPartThatCouldNotBeWrittenIsWrittenAgain() {
        EngineScenario engineScenario = EngineScenario.begin(SETTINGS, facts(), POLICY)
                .afterSeconds(60)
                .failingToWrite("etcd is full")
                .happens(nodeChanged("n1", labels("disk", "hdd")))
                .afterSeconds(60);
        assertThat(engineScenario.shards.values())
                .allSatisfy(shard -> assertThat(shard.clocks()).isEmpty());

        engineScenario.writingAgain().afterSeconds(6);

        assertThat(engineScenario.shards.values().stream()
                        .flatMap(shard -> shard.clocks().stream())
                        .map(RememberedClock::podUid))
                .containsExactly("web-1");
    }

    /**
     * Restarts at random moments, one after the other, each with a short time in which no operator runs. The pod leaves
     * no earlier than after its forgiveness, and late by at most these times and 5 s for each restart.
     */
    @Test
    void aThousandRestartsMakeNoEvictionEarlyAndEachAddsAtMostItsGapAndFiveSeconds() {
        long seed = 20_261_125;
        SplittableRandom random = new SplittableRandom(seed);
        int restarts = 0;
        while (restarts < 1_000) {
            EngineScenario engineScenario = broken().replacingOn("spare");
            Duration away = Duration.ZERO;
            int own = 0;
            while (engineScenario.requests.isEmpty()) {
                engineScenario.after(Duration.ofMillis(random.nextLong(1, 60_000)));
                if (engineScenario.requests.isEmpty()) {
                    Duration gap = Duration.ofMillis(random.nextLong(0, 50_000));
                    engineScenario = restarted(engineScenario, gap);
                    away = away.plus(gap);
                    own++;
                    restarts++;
                }
            }
            Duration evicted = Duration.between(BROKEN, engineScenario.requestedAt.getFirst());
            assertThat(evicted)
                    .as("seed %d, after %d restarts of %d", seed, own, restarts)
                    .isGreaterThanOrEqualTo(FORGIVENESS.plus(away))
                    .isLessThanOrEqualTo(FORGIVENESS.plus(away).plusSeconds(5L * own + 1));
        }
    }

    /**
     * The leader dies at a random moment, and a standby that has watched for a random time takes over when the lease
     * has expired. Then the next standby starts. What the standby watched counts, so nothing is late but by the
     * takeover.
     */
    @Test
    void takeoversAtRandomMomentsMakeNoEvictionEarlyOrLate() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int takeovers = 0;
        while (takeovers < 1_000) {
            EngineScenario leading = broken().replacingOn("spare");
            Instant takenOver = BROKEN;
            int own = 0;
            while (leading.requests.isEmpty()) {
                leading.after(Duration.ofMillis(random.nextLong(0, 100_000)));
                EngineScenario standby = leading.standby(SETTINGS).replacingOn("spare");
                Duration together = Duration.ofMillis(random.nextLong(0, 100_000));
                leading.after(together);
                if (leading.requests.isEmpty()) {
                    Duration leaderless = Duration.ofMillis(random.nextLong(0, 17_000));
                    takenOver = leading.now.plus(leaderless);
                    standby.after(together.plus(leaderless)).takesOverFrom(leading);
                    leading = standby;
                    takeovers++;
                    own++;
                }
            }
            assertThat(leading.requestedAt.getFirst())
                    .as("seed %d, after %d takeovers of %d", seed, own, takeovers)
                    .isBetween(
                            BROKEN.plus(FORGIVENESS),
                            latest(BROKEN.plus(FORGIVENESS), takenOver).plusSeconds(1 + 5L * own));
        }
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    @Test
    void theReplacementOfAPodHasAClockOfItsOwn() {
        EngineScenario before = broken().afterSeconds(200);
        before.happensUnseen(podChanged("web-2", like(before.truth.pod("web-1").orElseThrow()), on("n1")));

        EngineScenario after = restarted(before, Duration.ofSeconds(10)).afterSeconds(120);

        assertThat(after.evicted()).containsExactly("web-1");
    }
}
