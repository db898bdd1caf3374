package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.budgetChanged;
import static dev.holdfast.policies.testing.Changes.budgetGone;
import static dev.holdfast.policies.testing.Changes.budgetNeverAllows;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.Facts.uid;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.PodTraits.like;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterEvent.PodChanged;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the preconditions of an eviction request, and the consequence of each answer to the request. */
class EngineSafetyTest {
    private static final Pod WEB = pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"));

    /**
     * {@return a scenario with a pod whose violation starts at once and is due after a minute; another node would take
     * it}
     */
    private static EngineScenario broken() {
        return broken(FORGIVENESS);
    }

    private static EngineScenario broken(Duration forgiveness) {
        return EngineScenario.begin(facts(), enforcing("web", forgiveness));
    }

    private static ClusterBuilder facts() {
        return cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", 1)
                .with(new PodChanged(WEB));
    }

    /** {@return the reason of the last reported hold; empty if there is none} */
    private static Optional<Reason> hold(EngineScenario engineScenario) {
        return engineScenario.told.reversed().stream()
                .flatMap(
                        it -> it instanceof Notification.Held(var _, var hold) ? Stream.of(hold.reason()) : Stream.of())
                .findFirst();
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void beforeEveryViewIsSyncedNothingIsJudged(View missing) {
        Engine engine = new Engine(EngineScenario.settings());
        List<Event> events = new ArrayList<>();
        facts().facts().forEach(fact -> events.add(new Event.ObjectChanged(fact)));
        events.add(new Event.PolicyChanged(enforcing()));
        events.add(new Event.LeadershipGained());
        EnumSet.complementOf(EnumSet.of(missing)).forEach(view -> events.add(new Event.ViewSynced(view)));
        events.add(new Event.TimePassed());
        Instant muchLater = EngineScenario.START.plus(FORGIVENESS.multipliedBy(60));

        assertThat(events.stream().flatMap(event -> engine.step(event, EngineScenario.START).stream()))
                .isEmpty();
        assertThat(engine.step(new Event.TimePassed(), muchLater)).isEmpty();
        assertThat(engine.step(new Event.ViewSynced(missing), muchLater)).isNotEmpty();
    }

    @Test
    void beforeItIsKnownThatTheOperatorMayEvictAllIsAudited() {
        Engine engine = new Engine(EngineScenario.settings());
        cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .with(new PodChanged(WEB))
                .facts()
                .forEach(fact -> engine.step(new Event.ObjectChanged(fact), EngineScenario.START));
        engine.step(new Event.PolicyChanged(enforcing()), EngineScenario.START);
        engine.step(new Event.LeadershipGained(), EngineScenario.START);
        for (View view : View.values()) {
            engine.step(new Event.ViewSynced(view), EngineScenario.START);
        }

        List<Effect> due = engine.step(new Event.TimePassed(), EngineScenario.START.plusSeconds(60));

        assertThat(due).noneMatch(Effect.Confirm.class::isInstance);
        assertThat(due).anyMatch(it -> it instanceof Effect.Notify(Notification.WouldEvict _));
    }

    @Test
    void aLostViewHoldsEverythingUntilItIsBack() {
        EngineScenario engineScenario = broken().afterSeconds(30).loses(View.PODS);

        engineScenario.afterSeconds(600);
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(hold(engineScenario)).contains(Reason.VIEW_NOT_SYNCED);
        assertThat(engineScenario
                        .report(enforcing())
                        .oldest()
                        .getFirst()
                        .hold()
                        .orElseThrow()
                        .message())
                .isEqualTo("view pods: the watch was cut");
        engineScenario.event(new Event.ViewSynced(View.PODS)).afterSeconds(59);
        assertThat(engineScenario.evicted()).as("a long gap restarts the clock").isEmpty();

        engineScenario.afterSeconds(1);
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> gaps() {
        return Stream.of(
                argumentSet("60 s: a gap of 6 s, a tenth, is added", 60, 6, 60 + 6),
                argumentSet("60 s: a gap of 7 s restarts the clock", 60, 7, 40 + 7 + 60),
                argumentSet("3600 s: a gap of 30 s is added", 3600, 30, 3600 + 30),
                argumentSet("3600 s: a gap of 31 s restarts the clock", 3600, 31, 40 + 31 + 3600));
    }

    @ParameterizedTest
    @MethodSource("gaps")
    void timeThatWasNotObservedAddsNothingAndMoreThan30SOrATenthOfItForgetsWhatWasBefore(
            int forgiveness, int gap, int evictedAfter) {
        EngineScenario engineScenario = broken(Duration.ofSeconds(forgiveness)).afterSeconds(40);

        engineScenario.loses(View.NODES).afterSeconds(gap).event(new Event.ViewSynced(View.NODES));
        engineScenario.afterSeconds(evictedAfter - 40L - gap - 1);
        assertThat(engineScenario.evicted()).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> views() {
        return Stream.of(
                argumentSet("pods", View.PODS, 40 + 40 + 60),
                argumentSet("nodes", View.NODES, 40 + 40 + 60),
                argumentSet("namespaces", View.NAMESPACES, 40 + 40 + 60),
                argumentSet("owners: their annotations may have requested more forgiveness", View.OWNERS, 40 + 40 + 60),
                argumentSet("policies: one may have been Disabled during the gap", View.POLICIES, 40 + 40 + 60),
                argumentSet("budgets: they end no violation", View.BUDGETS, 40 + 40),
                argumentSet("pauses: forgiveness continues during a pause", View.PAUSES, 40 + 40));
    }

    @ParameterizedTest
    @MethodSource("views")
    void onlyAGapThatMayHideTheEndOfAViolationStartsItsClockFromZero(View view, int evictedAfter) {
        EngineScenario engineScenario =
                broken(Duration.ofSeconds(60)).afterSeconds(40).loses(view).afterSeconds(39);
        assertThat(engineScenario.evicted())
                .as("no pod is moved while the view is lost")
                .isEmpty();
        if (evictedAfter > 80) {
            engineScenario.afterSeconds(1).event(new Event.ViewSynced(view)).afterSeconds(evictedAfter - 80L - 1);
            assertThat(engineScenario.evicted()).isEmpty();
            engineScenario.afterSeconds(1);
        } else {
            engineScenario.afterSeconds(1).event(new Event.ViewSynced(view));
        }

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void timeThatWasNotObservedIsNoForgivenessAfterAnEditEither() {
        EngineScenario engineScenario =
                EngineScenario.begin(facts(), auditing()).afterSeconds(3_600);

        engineScenario.event(new Event.PolicyChanged(enforcing("web", Duration.ofMinutes(10))));
        for (int i = 0; i < 3; i++) {
            engineScenario.afterSeconds(10).loses(View.PODS).afterSeconds(30).event(new Event.ViewSynced(View.PODS));
        }
        engineScenario.afterSeconds(600 - 3 * 10 - 1);
        assertThat(engineScenario.evicted()).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void timeThatWasNotObservedIsNoForgivenessAfterTheCeilingRoseEither() {
        EngineScenario engineScenario =
                broken(Duration.ofMinutes(10)).event(new Event.ModeCapped(Mode.AUDIT, "the right is missing"));

        engineScenario.afterSeconds(3_600).event(new Event.ModeCapped(Mode.ENFORCE, "the right is there"));
        engineScenario.afterSeconds(10).loses(View.PODS).afterSeconds(30).event(new Event.ViewSynced(View.PODS));
        engineScenario.afterSeconds(600 - 10 - 1);
        assertThat(engineScenario.evicted()).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aDryRunThatIsRefusedAgainAndAgainIsToldAsOneHold() {
        EngineScenario engineScenario =
                broken().answeringDryRuns(_ -> new EvictionAnswer.OutOfBudget("no", Optional.empty()));

        engineScenario.afterSeconds(3_600);

        assertThat(engineScenario.dryRuns).hasSizeGreaterThan(3);
        assertThat(engineScenario.holds()).containsExactly(Reason.DISRUPTION_BUDGET);
    }

    @Test
    void aViewThatWasSilentLongBeforeItWasNoticedWasNotObservedSinceThen() {
        EngineScenario engineScenario = broken(Duration.ofMinutes(10)).afterSeconds(10);
        Instant silentSince = engineScenario.now;

        engineScenario.afterSeconds(400).loses(View.NODES, silentSince);
        engineScenario.afterSeconds(1).event(new Event.ViewSynced(View.NODES)).afterSeconds(599);
        assertThat(engineScenario.evicted()).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void ofTwoViewsThatWereLostTheOneSilentLongerCounts() {
        EngineScenario engineScenario = broken(Duration.ofMinutes(10)).afterSeconds(10);
        Instant silentSince = engineScenario.now;

        engineScenario
                .afterSeconds(30)
                .loses(View.NODES)
                .loses(View.PODS, silentSince)
                .loses(View.OWNERS);
        engineScenario.event(new Event.ViewSynced(View.PODS)).event(new Event.ViewSynced(View.OWNERS));
        engineScenario.afterSeconds(1).event(new Event.ViewSynced(View.NODES)).afterSeconds(599);
        assertThat(engineScenario.evicted()).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aReplicaWithoutTheLeaseEvictsNoPodAndGoesOnWatching() {
        EngineScenario engineScenario =
                broken().event(new Event.LeadershipLost("holdfast-2 has the lease", EngineScenario.START));

        engineScenario.afterSeconds(600);
        assertThat(engineScenario.requests).isEmpty();
        assertThat(hold(engineScenario)).contains(Reason.NOT_LEADER);
    }

    @Test
    void aReplicaThatTakesOverForgivesAgainWhatAnotherMayBeMovingAlready() {
        EngineScenario engineScenario =
                broken().event(new Event.LeadershipLost("holdfast-2 has the lease", EngineScenario.START));

        engineScenario.afterSeconds(600).event(new Event.LeadershipGained()).afterSeconds(59);
        assertThat(engineScenario.evicted()).isEmpty();
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> timesWithoutALeader() {
        return Stream.of(
                argumentSet("5 s without a leader, less than a tenth of the forgiveness of 60 s", 5, 60 + 5),
                argumentSet("10 s, more than a tenth of the forgiveness: it starts again", 10, 20 + 10 + 60),
                argumentSet("600 s: it starts again", 600, 20 + 600 + 60));
    }

    @ParameterizedTest
    @MethodSource("timesWithoutALeader")
    void aReplicaThatRegainsTheLeaseThatNoOtherHeldLosesTheGapOnly(int gap, int evictedAfter) {
        EngineScenario engineScenario = broken().afterSeconds(20);
        engineScenario
                .event(leadershipLost(engineScenario.now))
                .afterSeconds(gap)
                .event(new Event.LeadershipRegained());

        engineScenario.afterSeconds(evictedAfter - 20 - gap - 1);
        assertThat(engineScenario.evicted()).isEmpty();
        engineScenario.afterSeconds(1);
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    private static Event leadershipLost(Instant since) {
        return new Event.LeadershipLost("the lease was not renewed for 10 s", since);
    }

    static Stream<Arguments> timesThatAReplicaStalled() {
        return Stream.of(
                argumentSet("led until 4 s ago, less than a tenth of the forgiveness of 60 s", 4, 60 + 4),
                argumentSet("led until 10 s ago, more than a tenth: it starts again", 10, 20 + 60),
                argumentSet("led until a time before the violation: it starts again", 50, 20 + 60),
                argumentSet("leads until a time to come, by a clock that is ahead: no time is lost", -5, 60));
    }

    @ParameterizedTest
    @MethodSource("timesThatAReplicaStalled")
    void aReplicaThatStalledLosesTheTimeSinceItsLeadEnded(int unled, int evictedAfter) {
        EngineScenario engineScenario = broken().afterSeconds(20);
        engineScenario
                .event(leadershipLost(engineScenario.now.minusSeconds(unled)))
                .event(new Event.LeadershipRegained());

        engineScenario.afterSeconds(evictedAfter - 20 - 1);
        assertThat(engineScenario.evicted()).isEmpty();
        engineScenario.afterSeconds(1);
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void eachGapWithoutALeaderCountsOnce() {
        EngineScenario engineScenario = broken().afterSeconds(20);
        for (int i = 0; i < 3; i++) {
            engineScenario
                    .event(leadershipLost(engineScenario.now))
                    .afterSeconds(4)
                    .event(new Event.LeadershipRegained())
                    .afterSeconds(1);
        }

        engineScenario.afterSeconds(60 + 3 * 4 - 20 - 3 * 5 - 1);
        assertThat(engineScenario.evicted()).isEmpty();
        engineScenario.afterSeconds(1);
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aPodThatTheApiServerKnowsNewerThanTheFeedIsHeldAndLookedAtAgain() {
        ClusterEvent relabelled = podChanged("web-1", like(WEB), labels("new", "label"), resourceVersion(2));
        EngineScenario engineScenario = broken().happensUnseen(relabelled);

        engineScenario.afterSeconds(60);
        assertThat(engineScenario.requests).isEmpty();
        assertThat(hold(engineScenario)).contains(Reason.VIEW_BEHIND);
        engineScenario.event(new Event.ObjectChanged(relabelled)).afterSeconds(2);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
        assertThat(engineScenario.requests.getFirst().resourceVersion()).hasValue(2);
    }

    @Test
    void aNodeThatTheApiServerKnowsNewerThanTheFeedIsHeld() {
        EngineScenario engineScenario =
                broken().happensUnseen(nodeChanged("n1", labels("disk", "ssd"), cordoned(), resourceVersion(2)));

        engineScenario.afterSeconds(60);

        assertThat(engineScenario.requests).isEmpty();
        assertThat(hold(engineScenario)).contains(Reason.VIEW_BEHIND);
    }

    @Test
    void aNodeThatIsGoneAndThatTheFeedStillHasIsHeld() {
        EngineScenario engineScenario = broken().happensUnseen(nodeGone("n1"));

        engineScenario.afterSeconds(60);

        assertThat(engineScenario.dryRuns).isEmpty();
        assertThat(hold(engineScenario)).contains(Reason.VIEW_BEHIND);
    }

    static Stream<Arguments> others() {
        Pod other = pod("web-1", uid("another"), on("n2"), replicaOf("web"));
        return Stream.of(
                argumentSet("before the watch has delivered it", broken(), other),
                argumentSet("after the watch has delivered it", broken().happens(new PodChanged(other)), other));
    }

    @ParameterizedTest
    @MethodSource("others")
    void anotherPodUnderTheSameNameIsNeverEvicted(EngineScenario engineScenario, Pod other) {
        engineScenario.reading(confirm -> new Event.Confirmed(
                confirm.planId(), Optional.of(other), engineScenario.truth.node(confirm.node()), List.of()));

        engineScenario.afterSeconds(60);

        assertThat(engineScenario.dryRuns).extracting(EvictionRequest::uid).doesNotContain("web-1");
        assertThat(engineScenario.holds()).contains(Reason.VIEW_BEHIND);
    }

    @Test
    void readsThatFailHoldTheViolationAndAreTriedAgain() {
        EngineScenario engineScenario = broken().reading(confirm ->
                new Event.ConfirmFailed(confirm.planId(), Reason.API_ERROR, "GET pod shop/web-1: timeout"));

        engineScenario.afterSeconds(60);
        assertThat(hold(engineScenario)).contains(Reason.API_ERROR);
        engineScenario.reading(engineScenario::readTruth).afterSeconds(120);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> answers() {
        return Stream.of(
                row(
                        "a budget that allows no eviction now: retried after 10 s",
                        outOfBudget(Optional.empty()),
                        Reason.DISRUPTION_BUDGET,
                        10),
                row(
                        "a budget with a retry time: retried then",
                        outOfBudget(Optional.of(Duration.ofSeconds(7))),
                        Reason.DISRUPTION_BUDGET,
                        7),
                row(
                        "several budgets: retried after 5 min",
                        new EvictionAnswer.SeveralBudgets("two"),
                        Reason.SEVERAL_BUDGETS,
                        300),
                row(
                        "throttling: retried after 1 to 1.5 s",
                        new EvictionAnswer.Throttled(Optional.empty()),
                        Reason.THROTTLED,
                        2),
                row(
                        "refused by a webhook: retried after 1 min",
                        new EvictionAnswer.RefusedByAdmission("no"),
                        Reason.REFUSED_BY_ADMISSION,
                        60),
                row(
                        "a webhook without dry run: retried after 1 min",
                        new EvictionAnswer.DryRunUnsupported("no"),
                        Reason.DRY_RUN_UNSUPPORTED,
                        60),
                row(
                        "a missing permission: retried after 1 min",
                        new EvictionAnswer.Forbidden("no"),
                        Reason.FORBIDDEN,
                        60),
                row("a failing API server: retried after 10 s", new EvictionAnswer.Failed("500"), Reason.API_ERROR, 10),
                row(
                        "a namespace that is being deleted: retried after 10 s",
                        new EvictionAnswer.NamespaceTerminating(),
                        Reason.NAMESPACE_TERMINATING,
                        10),
                row(
                        "a pod that is gone, but still in the cache: retried after 1 s",
                        new EvictionAnswer.Gone(),
                        Reason.VIEW_BEHIND,
                        1),
                row(
                        "a request that was not sent: retried after 1 s",
                        new EvictionAnswer.NotSent("lease"),
                        Reason.NOT_LEADER,
                        1));
    }

    private static Arguments row(String name, EvictionAnswer answer, Reason reason, int seconds) {
        return argumentSet(name, answer, reason, seconds);
    }

    private static EvictionAnswer outOfBudget(Optional<Duration> retryAfter) {
        return new EvictionAnswer.OutOfBudget("budget web needs 3 healthy pods and has 3", retryAfter);
    }

    @ParameterizedTest
    @MethodSource("answers")
    void eachRefusalIsAHoldWithItsOwnNextLook(EvictionAnswer answer, Reason reason, int seconds) {
        EngineScenario engineScenario = broken().answering(_ -> answer).afterSeconds(60);

        assertThat(hold(engineScenario)).contains(reason);
        assertThat(engineScenario.requests).hasSize(1);
        engineScenario.afterSeconds(seconds - 1L);
        assertThat(engineScenario.requests).as("before the next check").hasSize(1);
        engineScenario.answering(_ -> new EvictionAnswer.Evicted()).afterSeconds(1);
        assertThat(engineScenario.requests).as("at the next check").hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("answers")
    void aRefusedDryRunIsTheSameHoldAndNothingRealIsSent(EvictionAnswer answer, Reason reason, int seconds) {
        EngineScenario engineScenario = broken().answeringDryRuns(_ -> answer).afterSeconds(60);

        assertThat(hold(engineScenario)).contains(reason);
        engineScenario.afterSeconds(seconds - 1L);
        assertThat(engineScenario.dryRuns).as("before the next check").hasSize(1);
        engineScenario.afterSeconds(1);
        assertThat(engineScenario.dryRuns).as("at the next check").hasSize(2);
        assertThat(engineScenario.requests).isEmpty();
    }

    /** An API server on which the pod changes all the time: each request with a version is too late. */
    private static EvictionAnswer changesAllTheTime(EvictionRequest request) {
        return request.resourceVersion().isPresent()
                ? new EvictionAnswer.Conflict("changed")
                : new EvictionAnswer.Evicted();
    }

    @Test
    void aPodThatChangesAllTheTimeIsEvictedByItsUidAloneAfterTheThirdConflict() {
        EngineScenario engineScenario = broken().answering(EngineSafetyTest::changesAllTheTime);

        engineScenario.afterSeconds(60);

        assertThat(engineScenario.requests)
                .extracting(EvictionRequest::uid, EvictionRequest::resourceVersion)
                .containsExactly(
                        tuple("web-1", OptionalLong.of(1)),
                        tuple("web-1", OptionalLong.of(1)),
                        tuple("web-1", OptionalLong.of(1)),
                        tuple("web-1", OptionalLong.empty()));
        assertThat(engineScenario.dryRuns)
                .extracting(EvictionRequest::resourceVersion)
                .as("each eviction has its own reads and dry run")
                .containsExactly(OptionalLong.of(1), OptionalLong.of(1), OptionalLong.of(1), OptionalLong.empty());
        assertThat(engineScenario.reads).hasSize(4);
        assertThat(engineScenario.events()).contains("Evicting web-1").doesNotContain("Held web-1 Conflict");
    }

    @Test
    void aPodThatChangesDuringEachDryRunIsEvictedByItsUidAloneAfterTheThirdChange() {
        EngineScenario engineScenario = broken();
        for (int version = 2; version <= 5; version++) {
            engineScenario.duringDryRun(
                    new Event.ObjectChanged(podChanged("web-1", like(WEB), resourceVersion(version))));
        }

        engineScenario.afterSeconds(60);

        assertThat(engineScenario.requests)
                .extracting(EvictionRequest::resourceVersion)
                .containsExactly(OptionalLong.empty());
    }

    @Test
    void aDryRunThatConflictsCountsToo() {
        EngineScenario engineScenario = broken().answeringDryRuns(EngineSafetyTest::changesAllTheTime);

        engineScenario.afterSeconds(60);

        assertThat(engineScenario.dryRuns).hasSize(4);
        assertThat(engineScenario.requests)
                .extracting(EvictionRequest::resourceVersion)
                .containsExactly(OptionalLong.empty());
    }

    @Test
    void otherRefusalsBetweenTheConflictsDoNotStartTheCountAgain() {
        Deque<EvictionAnswer> answers = new ArrayDeque<>(List.of(
                new EvictionAnswer.Conflict("changed"),
                new EvictionAnswer.Conflict("changed"),
                new EvictionAnswer.Failed("500"),
                new EvictionAnswer.Conflict("changed"),
                new EvictionAnswer.Evicted()));
        EngineScenario engineScenario = broken().answering(_ -> answers.remove());

        engineScenario.afterSeconds(120);

        assertThat(engineScenario.requests)
                .extracting(EvictionRequest::resourceVersion)
                .containsExactly(
                        OptionalLong.of(1),
                        OptionalLong.of(1),
                        OptionalLong.of(1),
                        OptionalLong.of(1),
                        OptionalLong.empty());
    }

    @Test
    void aPodWhoseLabelsChangeBetweenTheConflictsIsNotEvictedByItsUidAlone() {
        EngineScenario engineScenario = broken().answering(EngineSafetyTest::changesAllTheTime);
        for (int version = 2; version <= 40; version++) {
            engineScenario.duringReads(new Event.ObjectChanged(podChanged(
                    "web-1",
                    like(WEB),
                    labels("app", "web", "beat", Integer.toString(version)),
                    resourceVersion(version))));
        }

        engineScenario.afterSeconds(120);

        assertThat(engineScenario.evicted()).isNotEmpty();
        assertThat(engineScenario.requests)
                .allMatch(request -> request.resourceVersion().isPresent());
        assertThat(hold(engineScenario)).contains(Reason.CONFLICT);
    }

    /** {@return reads in which the pod is always one version newer than its watch has delivered} */
    private static EngineScenario readingNewer(EngineScenario engineScenario, PodTrait... traits) {
        return engineScenario.reading(confirm -> new Event.Confirmed(
                confirm.planId(),
                Optional.of(pod(
                        "web-1",
                        Stream.concat(Stream.of(like(WEB), resourceVersion(2)), Stream.of(traits))
                                .toArray(PodTrait[]::new))),
                engineScenario.truth.node(confirm.node()),
                List.of(),
                Optional.empty()));
    }

    @Test
    void aPodThatChangesFasterThanItsWatchIsEvictedByItsUidAloneAfterTheThirdRead() {
        EngineScenario engineScenario = readingNewer(broken());

        engineScenario.afterSeconds(60 + 1 + 2 + 4 - 1);
        assertThat(engineScenario.requests).isEmpty();
        assertThat(hold(engineScenario)).contains(Reason.VIEW_BEHIND);
        engineScenario.afterSeconds(1);

        assertThat(engineScenario.reads).hasSize(4);
        assertThat(engineScenario.requests)
                .extracting(EvictionRequest::resourceVersion)
                .containsExactly(OptionalLong.empty());
    }

    @Test
    void aPodThatIsReadWithAnotherReadinessThanTheCachedOneStaysHeld() {
        EngineScenario engineScenario = readingNewer(broken(), notReady());

        engineScenario.afterSeconds(600);

        assertThat(engineScenario.requests).isEmpty();
        assertThat(hold(engineScenario)).contains(Reason.VIEW_BEHIND);
    }

    @Test
    void aNodeThatChangedHoldsAPodThatChangesFasterThanItsWatch() {
        EngineScenario engineScenario =
                readingNewer(broken().happensUnseen(nodeChanged("n1", labels("disk", "hdd"), resourceVersion(2))));

        engineScenario.afterSeconds(600);

        assertThat(engineScenario.requests).isEmpty();
        assertThat(hold(engineScenario)).contains(Reason.VIEW_BEHIND);
    }

    @Test
    void aConflictByUidAloneIsHeld() {
        EngineScenario engineScenario =
                broken().answering(_ -> new EvictionAnswer.Conflict("changed")).afterSeconds(60);

        assertThat(engineScenario.requests).hasSize(4);
        assertThat(hold(engineScenario)).contains(Reason.CONFLICT);
    }

    @Test
    void aBudgetThatAllowsNothingAtItsBestEitherIsToldApartAndNeverAsked() {
        EngineScenario engineScenario = broken().happens(budgetNeverAllows("web", app("web")));

        engineScenario.after(FORGIVENESS).afterSeconds(600);

        assertThat(engineScenario.reads).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.DISRUPTION_BUDGET_NEVER_ALLOWS);
        assertThat(engineScenario.heldBecause())
                .isEqualTo("disruption budget web would allow no eviction even if all its pods were healthy; "
                        + "loosen it or add replicas");
    }

    static Stream<Arguments> whoseBudgets() {
        return Stream.of(
                argumentSet("a budget of other pods", budgetNeverAllows("other", app("other"))),
                argumentSet(
                        "a budget of another namespace",
                        new ClusterEvent.BudgetChanged(new DisruptionBudget(
                                "web", new NamespacedName("data", "web"), Optional.of(app("web")), 0, true))),
                argumentSet(
                        "a budget that allows an eviction if all its pods are healthy",
                        budgetChanged("web", app("web"), 0)));
    }

    @ParameterizedTest
    @MethodSource("whoseBudgets")
    void aSpentBudgetBesideOneIsOneThatComesBack(ClusterEvent budget) {
        EngineScenario engineScenario = broken().happens(budget).answeringDryRuns(_ -> outOfBudget(Optional.empty()));

        engineScenario.after(FORGIVENESS);

        assertThat(engineScenario.held()).isEqualTo(Reason.DISRUPTION_BUDGET);
    }

    @Test
    void aBudgetThatNeverAllowedAnythingAndIsLoosenedLiftsItsHold() {
        EngineScenario engineScenario = broken().happens(budgetNeverAllows("web", app("web")))
                .answeringDryRuns(_ -> outOfBudget(Optional.empty()));
        engineScenario.after(FORGIVENESS);

        engineScenario
                .answeringDryRuns(_ -> new EvictionAnswer.Evicted())
                .happens(budgetChanged("web", app("web"), 1))
                .afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> budgets() {
        EvictionAnswer out = outOfBudget(Optional.empty());
        EvictionAnswer several = new EvictionAnswer.SeveralBudgets("two");
        return Stream.of(
                argumentSet("a budget that allows more lifts its hold", out, budgetChanged("web", app("web"), 2), true),
                argumentSet("a budget that allows less lifts no hold", out, budgetChanged("web", app("web"), 0), false),
                argumentSet(
                        "a budget of other pods that allows more lifts no hold",
                        out,
                        budgetChanged("other", app("other"), 2),
                        false),
                argumentSet("a deleted budget lifts its hold", out, budgetGone("web"), true),
                argumentSet("a deleted budget of other pods lifts no hold", out, budgetGone("other"), false),
                argumentSet(
                        "a budget with a new selector lifts its hold", out, budgetChanged("web", app("new"), 1), true),
                argumentSet(
                        "of several budgets, one that allows more lifts no hold",
                        several,
                        budgetChanged("web", app("web"), 2),
                        false),
                argumentSet("of several budgets, a deleted one lifts the hold", several, budgetGone("web"), true),
                argumentSet(
                        "of several budgets, one with a new selector lifts the hold",
                        several,
                        budgetChanged("web", app("new"), 1),
                        true),
                argumentSet(
                        "with a retry time from the API server, no change lifts the hold",
                        outOfBudget(Optional.of(Duration.ofMinutes(5))),
                        budgetChanged("web", app("web"), 2),
                        false));
    }

    @ParameterizedTest
    @MethodSource("budgets")
    void aHoldByABudgetIsLiftedByWhatHappensToThatBudget(EvictionAnswer answer, ClusterEvent change, boolean lifts) {
        EngineScenario engineScenario = broken().happens(budgetChanged("web", app("web"), 1))
                .happens(budgetChanged("other", app("other"), 1))
                .answering(_ -> answer)
                .afterSeconds(60);
        int before = engineScenario.requests.size();
        assertThat(before).isPositive();

        engineScenario.happens(change).afterSeconds(1);

        assertThat(engineScenario.requests).hasSize(before + (lifts ? 1 : 0));
    }

    @Test
    void anAnswerThatNeverCameBlocksForFourMinutesAndIsNeverResentBlindly() {
        EngineScenario engineScenario =
                broken().answering(_ -> new EvictionAnswer.Unknown("timeout")).afterSeconds(60);

        engineScenario.afterSeconds(239);
        assertThat(engineScenario.requests).hasSize(1);
        assertThat(engineScenario.reads).hasSize(1);
        engineScenario.answering(_ -> new EvictionAnswer.Evicted()).afterSeconds(3);

        assertThat(engineScenario.reads)
                .as("read again before the second request")
                .hasSize(2);
        assertThat(engineScenario.requests).hasSize(2);
    }

    @Test
    void anAnswerThatNeverCameCountsAsEvictedOnceThePodIsSeenToGo() {
        EngineScenario engineScenario =
                broken().answering(_ -> new EvictionAnswer.Unknown("timeout")).afterSeconds(60);

        engineScenario
                .happens(podChanged("web-1", like(WEB), terminating(EngineScenario.START), resourceVersion(2)))
                .happens(podGone("web-1"));
        engineScenario.happens(podChanged("web-1-new", like(WEB), on("n2"))).afterSeconds(1);

        assertThat(engineScenario.events())
                .containsExactly(
                        "Started web-1",
                        "Evicting web-1",
                        "Answered web-1",
                        "Ended web-1 EVICTED",
                        "Moved web-1 MOVED");
    }

    @Test
    void aPodThatIsGoneAlreadyLeavesNothingToDo() {
        EngineScenario engineScenario =
                broken().answering(_ -> new EvictionAnswer.Gone()).afterSeconds(60);

        engineScenario.happens(podGone("web-1")).afterSeconds(60);

        assertThat(engineScenario.report(enforcing()).pods()).isEqualTo(new PolicyReport.Pods(0, 0, 0, 0));
        assertThat(engineScenario.report(enforcing()).holds()).isEqualTo(Map.of());
    }
}
