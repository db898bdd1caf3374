package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.engine.TestPolicies.over;
import static dev.holdfast.policies.engine.WideningTest.SETTINGS;
import static dev.holdfast.policies.engine.WideningTest.acknowledge;
import static dev.holdfast.policies.engine.WideningTest.assertMoves;
import static dev.holdfast.policies.engine.WideningTest.assertWaits;
import static dev.holdfast.policies.engine.WideningTest.begin;
import static dev.holdfast.policies.engine.WideningTest.broken;
import static dev.holdfast.policies.engine.WideningTest.daily;
import static dev.holdfast.policies.engine.WideningTest.ended;
import static dev.holdfast.policies.engine.WideningTest.excepted;
import static dev.holdfast.policies.engine.WideningTest.label;
import static dev.holdfast.policies.engine.WideningTest.noon;
import static dev.holdfast.policies.engine.WideningTest.pause;
import static dev.holdfast.policies.engine.WideningTest.paused;
import static dev.holdfast.policies.engine.WideningTest.restarted;
import static dev.holdfast.policies.testing.Changes.acknowledged;
import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.scheduledBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.Facts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of backlogs over a restart: one acknowledgement for all that an operator begins at once, what a backlog holds
 * afterwards, and what ended while no operator ran. The cluster is that of {@link WideningTest}.
 */
class WideningRestartTest {
    private static final Policy SECOND = enforcing("web-2", Duration.ofSeconds(90));

    private static List<String> ids(EngineScenario engineScenario) {
        return engineScenario.backlogs.stream()
                .map(BacklogReport::id)
                .distinct()
                .toList();
    }

    @Test
    void oneAcknowledgementEndsAllBacklogsThatTheOperatorBeganAtOnce() {
        EngineScenario engineScenario = begin(SETTINGS, 11, enforcing(), SECOND).afterSeconds(20);
        String id = engineScenario.backlogs.getFirst().id();
        assertThat(ids(engineScenario)).containsExactly(id);
        assertThat(id).startsWith("all-backlogs@");
        assertThat(engineScenario.backlogs.getFirst().message())
                .endsWith(" until you acknowledge that this is intended: kubectl annotate placementpolicy -n "
                        + Facts.NAMESPACE + " web --overwrite holdfast.dev/acknowledge=" + id
                        + ". To acknowledge it for all policies: kubectl annotate namespace holdfast --overwrite"
                        + " holdfast.dev/acknowledge=" + id);

        engineScenario.happens(acknowledged(id)).afterSeconds(120);

        assertThat(engineScenario.backlogs)
                .extracting(BacklogReport::policy, BacklogReport::change)
                .containsExactly(
                        tuple(enforcing().id(), BrakeReport.Change.OPENED),
                        tuple(SECOND.id(), BrakeReport.Change.OPENED),
                        tuple(enforcing().id(), BrakeReport.Change.ACKNOWLEDGED),
                        tuple(SECOND.id(), BrakeReport.Change.ACKNOWLEDGED));
        assertThat(engineScenario.unknown).isEmpty();
        assertThat(engineScenario.evicted()).isNotEmpty();
    }

    @Test
    void aPolicyThatAcknowledgesTheCommonIdAcknowledgesItForItselfAlone() {
        EngineScenario engineScenario = begin(SETTINGS, 11, enforcing(), SECOND).afterSeconds(20);

        acknowledge(engineScenario, enforcing());

        assertThat(engineScenario.afterSeconds(1).backlogs)
                .filteredOn(report -> report.change() == BrakeReport.Change.ACKNOWLEDGED)
                .extracting(BacklogReport::policy)
                .containsExactly(enforcing().id());
        assertThat(engineScenario.report(SECOND).backlog()).isPresent();
    }

    @Test
    void theBacklogOfOnePolicyIsNotAcknowledgedInTheNamespaceOfTheOperator() {
        EngineScenario engineScenario = labelled(11);
        String id = engineScenario.backlogs.getLast().id();
        assertThat(id).startsWith("backlog@");

        engineScenario.happens(acknowledged(id)).afterSeconds(600);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.unknown).hasSize(1);
    }

    @Test
    void theCommonIdCountsThatWasAcknowledgedWhileNoOperatorRan() {
        EngineScenario before = begin(SETTINGS, 11, enforcing(), SECOND).afterSeconds(20);
        before.happensUnseen(acknowledged(before.backlogs.getLast().id()));

        EngineScenario after = restarted(before).afterSeconds(120);

        assertThat(after.evicted()).isNotEmpty();
        assertThat(after.report(SECOND).backlog()).isEmpty();
    }

    @Test
    void aLostLedgerAsksOnceForAllPolicies() {
        EngineScenario before = begin(SETTINGS, 11, enforcing(), SECOND).afterSeconds(20);
        before.stored = Optional.of(new LedgerReading.Unreadable("it was cut off"));

        EngineScenario after = restarted(before).afterSeconds(5);

        assertThat(ids(after)).hasSize(1);
        after.happens(acknowledged(ids(after).getFirst()));
        assertThat(after.afterSeconds(120).evicted()).isNotEmpty();
    }

    private static final Policy OF_ALL = over(matchLabels("tier", "front"), everywhere(enforcing()));

    /**
     * {@return a scenario in which a label brought this number of pods under the policy of all, and two minutes passed}
     */
    private static EngineScenario labelled(int pods) {
        EngineScenario engineScenario = begin(SETTINGS, pods, OF_ALL).after(Duration.ofMinutes(10));
        IntStream.rangeClosed(1, pods).forEach(i -> label(engineScenario, i));
        return engineScenario.afterSeconds(120);
    }

    @Test
    void aPartialBacklogIsPartialAfterARestart() {
        EngineScenario before = labelled(11);
        String id = before.backlogs.getLast().id();

        EngineScenario after = restarted(before.afterSeconds(10));
        WideningTest.create(after, "bank", "vault");
        WideningTest.create(after, Facts.NAMESPACE, "new");
        after.afterSeconds(600);

        assertThat(after.evicted()).containsExactly("vault");
        assertThat(after.backlogs.getFirst().id()).isEqualTo(id);
        assertThat(after.backlogs.getFirst().message())
                .startsWith("since label tier of the pod was added as 'front', the policy would move 11 of its ")
                .contains(": none of these pods is evicted for it until");
    }

    static Stream<Arguments> joined() {
        UnaryOperator<EngineScenario> nothing = scenario -> scenario;
        UnaryOperator<EngineScenario> created = scenario -> {
            WideningTest.create(scenario, Facts.NAMESPACE, "web-12");
            return scenario;
        };
        UnaryOperator<EngineScenario> labelled = scenario -> {
            scenario.happens(podChanged("web-12", on("n1"), replicaOf("web-1"), nodeSelector("disk", "ssd")));
            label(scenario, 12);
            return scenario;
        };
        return Stream.of(
                argumentSet("were there when it began", nothing, List.of("web-1")),
                argumentSet("were created later", created, List.of("web-1", "web-12")),
                argumentSet("got the label later", labelled, List.of("web-1", "web-12")),
                argumentSet(
                        "were there before a restart",
                        (UnaryOperator<EngineScenario>) scenario -> restarted(scenario.afterSeconds(10)),
                        List.of("web-1")));
    }

    @ParameterizedTest
    @MethodSource("joined")
    void aBacklogIsOverWhenFewPodsAreLeftThat(UnaryOperator<EngineScenario> joining, List<String> pods) {
        EngineScenario engineScenario = joining.apply(labelled(11)).afterSeconds(5);

        pods.forEach(pod -> engineScenario.happens(podGone(pod)));

        assertThat(engineScenario.afterSeconds(5).backlogs.getLast().change()).isEqualTo(BrakeReport.Change.HEALED);
    }

    @Test
    void anotherViolationInTheNamespaceOfAPartialBacklogMovesAfterARestartToo() {
        EngineScenario before = begin(SETTINGS, 11, OF_ALL).after(Duration.ofMinutes(10));
        WideningTest.create(before, Facts.NAMESPACE, "old");
        before.answeringDryRuns(_ -> new EvictionAnswer.OutOfBudget("no disruption is allowed", Optional.empty()));
        IntStream.rangeClosed(1, 11).forEach(i -> label(before, i));
        assertThat(before.afterSeconds(120).evicted()).isEmpty();

        EngineScenario after = restarted(before.afterSeconds(10)).afterSeconds(600);

        assertThat(after.evicted()).containsExactly("old");
    }

    @Test
    void aPodThatWasCreatedWhileNoOperatorRanJoinsThePartialBacklogOfItsNamespace() {
        EngineScenario before = labelled(11).afterSeconds(10).away(Duration.ofSeconds(20));
        before.happensUnseen(podChanged(
                "web-1-again",
                on("n1"),
                replicaOf("web-1"),
                labels("tier", "front"),
                nodeSelector("disk", "ssd"),
                created(before.now)));

        EngineScenario after = restarted(before).afterSeconds(600);

        assertThat(after.evicted()).isEmpty();
        assertThat(after.backlogs.getFirst().message()).contains("would move 12 of its 12 pods");
    }

    @Test
    void aBacklogOfWhichAnEarlierVersionWroteNoPartHoldsAllPods() {
        EngineScenario before = labelled(11);
        before.stored = before.stored.map(WideningRestartTest::ofAnEarlierVersion);

        EngineScenario after = restarted(before);
        WideningTest.create(after, "bank", "vault");

        assertThat(after.afterSeconds(600).evicted()).isEmpty();
        assertThat(after.backlogs.getFirst().message()).contains(": no pod is evicted for it until");
    }

    private static LedgerReading ofAnEarlierVersion(LedgerReading reading) {
        if (!(reading instanceof LedgerReading.Found(Ledger ledger, Instant written, var shards))) {
            throw new AssertionError(reading);
        }
        RememberedBrakes brakes = ledger.brakes();
        return new LedgerReading.Found(
                new Ledger(
                        ledger.limits(),
                        ledger.moves(),
                        ledger.missing(),
                        new RememberedBrakes(
                                brakes.lost(),
                                brakes.labels(),
                                brakes.accepted(),
                                brakes.volume(),
                                brakes.volumes(),
                                brakes.streaks(),
                                brakes.backlogs().stream()
                                        .map(one -> new RememberedBrakes.Backlog(
                                                one.policy(),
                                                one.id(),
                                                one.generation(),
                                                one.since(),
                                                Optional.empty(),
                                                Optional.empty()))
                                        .toList(),
                                brakes.resumptions(),
                                brakes.gone(),
                                brakes.failedCheck(),
                                brakes.dynamic(),
                                brakes.pauses()
                                        .map(all -> all.stream()
                                                .map(one -> new RememberedBrakes.Paused(
                                                        one.message(), one.namespaces(), Optional.empty()))
                                                .toList())),
                        ledger.nodes(),
                        ledger.policies()),
                written,
                shards);
    }

    private static EngineScenario pausedUntil(int pods, Optional<Instant> until) {
        return paused(SETTINGS, pods, pause(List.of(), until)).afterSeconds(90);
    }

    @Test
    void aPauseThatIsDeletedWhileNoOperatorRanWaits() {
        EngineScenario before = pausedUntil(11, Optional.empty()).unpausedUnseen("freeze");

        assertWaits(restarted(before), enforcing(), ended("until it is deleted"), 11);
    }

    @Test
    void aPauseThatIsDeletedWhileNoOperatorRanWaitsAlsoInAWindowOfAnotherOne() {
        EngineScenario before = pausedUntil(11, Optional.empty())
                .event(daily())
                .afterSeconds(10)
                .unpausedUnseen("freeze");

        assertWaits(restarted(before).after(Duration.ofHours(1)), enforcing(), ended("until it is deleted"), 11);
    }

    @Test
    void aPauseThatGetsWindowsWhileNoOperatorRanWaits() {
        EngineScenario before =
                pausedUntil(11, Optional.empty()).pausedUnseen(pause(List.of(noon()), Optional.empty()));

        assertWaits(restarted(before).after(Duration.ofHours(1)), enforcing(), ended("until it is deleted"), 11);
    }

    /** No plan is made in which the end counts. */
    @Test
    void aPauseThatIsDeletedWhileAViewIsLostBeforeTheOperatorEndsWaits() {
        EngineScenario before = pausedUntil(11, Optional.empty())
                .loses(View.NODES)
                .event(new Event.PauseRemoved("freeze"))
                .event(new Event.Ending());

        EngineScenario after = restarted(before).afterSeconds(600);

        assertThat(after.evicted()).isEmpty();
        assertThat(after.backlogs).extracting(BacklogReport::change).containsExactly(BrakeReport.Change.TAKEN_OVER);
    }

    @Test
    void aPauseThatIsDeletedBeforeClocksThatStartedAgainAreDueWaits() {
        EngineScenario after = restarted(pausedUntil(11, Optional.empty()).away(Duration.ofMinutes(30)))
                .afterSeconds(5)
                .event(new Event.PauseRemoved("freeze"));

        assertWaits(after, enforcing(), ended("until it is deleted"), 11);
    }

    @Test
    void aPauseThatEndsByItselfWhileNoOperatorRanWaits() {
        Instant end = EngineScenario.START.plusSeconds(120);
        EngineScenario before = pausedUntil(11, Optional.of(end)).away(Duration.ofMinutes(2));

        assertWaits(restarted(before), enforcing(), ended("until " + Hold.second(end)), 11);
    }

    @Test
    void aPauseOverTenViolatingPodsThatIsDeletedWhileNoOperatorRanDoesNotWait() {
        assertMoves(restarted(pausedUntil(10, Optional.empty()).unpausedUnseen("freeze")));
    }

    @Test
    void aPauseThatIsThereAfterARestartWaitsOnlyWhenItIsDeleted() {
        EngineScenario after = restarted(pausedUntil(11, Optional.empty())).afterSeconds(600);
        assertThat(after.backlogs).isEmpty();
        assertThat(after.held()).isEqualTo(Reason.PAUSED);

        after.event(new Event.PauseRemoved("freeze"));

        assertWaits(after, enforcing(), ended("until it is deleted"), 11);
    }

    @Test
    void aPauseOfOtherNamespacesThatIsDeletedWhileNoOperatorRanDoesNotWait() {
        EngineScenario before = begin(SETTINGS, 11, enforcing()).afterSeconds(20);
        acknowledge(before, enforcing());
        before.event(new Event.PauseChanged(new Pause(
                "freeze",
                "the month ends",
                Optional.of(matcher(matchLabels("team", "bank"))),
                List.of(),
                Optional.empty())));
        before.afterSeconds(10).unpausedUnseen("freeze");

        assertMoves(restarted(before));
    }

    /** The ledger does not name the namespaces of so large a pause, nor more than 50 pauses. */
    @ParameterizedTest
    @CsvSource({"1, 101", "51, 1"})
    void manyPausesOrNamespacesThatARestartFindsAgainDoNotWait(int pauses, int namespaces) {
        EngineScenario before = begin(SETTINGS, 11, enforcing()).afterSeconds(20);
        acknowledge(before, enforcing());
        IntStream.rangeClosed(1, namespaces)
                .forEach(i -> before.happens(namespaceChanged("bank-" + i, labels("team", "bank"))));
        IntStream.rangeClosed(1, pauses)
                .forEach(i -> before.event(new Event.PauseChanged(new Pause(
                        "freeze-" + i,
                        "the month ends",
                        Optional.of(matcher(matchLabels("team", "bank"))),
                        List.of(),
                        Optional.empty()))));

        assertMoves(restarted(before.afterSeconds(10)));
    }

    @Test
    void aPauseOfTheNamespaceThatIsDeletedWhileNoOperatorRanWaits() {
        EngineScenario before = begin(SETTINGS, 11, enforcing()).afterSeconds(20);
        acknowledge(before, enforcing());
        before.happens(namespaceChanged(Facts.NAMESPACE, labels("team", "shop")))
                .event(new Event.PauseChanged(new Pause(
                        "freeze",
                        "the month ends",
                        Optional.of(matcher(matchLabels("team", "shop"))),
                        List.of(),
                        Optional.empty())));
        before.afterSeconds(10).unpausedUnseen("freeze");

        assertWaits(restarted(before), enforcing(), ended("until it is deleted"), 11);
    }

    @Test
    void aWindowOfAPauseThatClosesWhileNoOperatorRanDoesNotWait() {
        EngineScenario before =
                paused(SETTINGS, 11, pause(List.of(noon()), Optional.empty())).afterSeconds(90);

        assertMoves(restarted(before.away(Duration.ofHours(1))));
    }

    @Test
    void anOpenWindowOfAPauseInALedgerOfAnEarlierVersionDoesNotWait() {
        EngineScenario before =
                paused(SETTINGS, 11, pause(List.of(noon()), Optional.empty())).afterSeconds(90);
        before.stored = before.stored.map(WideningRestartTest::ofAnEarlierVersion);

        EngineScenario after = restarted(before).afterSeconds(600);

        assertThat(after.backlogs).isEmpty();
        assertThat(after.held()).isEqualTo(Reason.PAUSED);
    }

    @Test
    void aPauseThatTheOperatorSawEndIsNotCountedAgainAfterARestart() {
        EngineScenario before = pausedUntil(11, Optional.empty()).event(new Event.PauseRemoved("freeze"));
        acknowledge(before.afterSeconds(1), enforcing());

        assertMoves(restarted(before.afterSeconds(10)));
    }

    @Test
    void anExceptionThatEndsWhileNoOperatorRanWaits() {
        Instant end = EngineScenario.START.plusSeconds(120);
        EngineScenario before = excepted(SETTINGS, 11, end).afterSeconds(90);

        assertWaits(
                restarted(before.away(Duration.ofMinutes(2))),
                enforcing(),
                "an exception ended (exception 'legacy' of the policy named it until " + Hold.second(end)
                        + ": it moves later)",
                11);
    }

    static Stream<Arguments> endingUnseen() {
        Instant end = EngineScenario.START.plusSeconds(120);
        return Stream.of(
                argumentSet("a pause", pausedUntil(11, Optional.of(end)), ended("until " + Hold.second(end))),
                argumentSet(
                        "an exception",
                        excepted(SETTINGS, 11, end).afterSeconds(90),
                        "an exception ended (exception 'legacy' of the policy named it until " + Hold.second(end)
                                + ": it moves later)"));
    }

    @ParameterizedTest
    @MethodSource("endingUnseen")
    void theEndWaitsAlthoughTheClockIsTrustedOnlyLaterOf(EngineScenario before, String since) {
        EngineScenario after = before.away(Duration.ofMinutes(2))
                .restartedBeforeTheClockIsTrusted(SETTINGS)
                .replacingOn("spare")
                .afterSeconds(20);
        assertThat(after.backlogs).isEmpty();

        after.event(new Event.WallClockRead(WallClock.trusted(Duration.ZERO)));

        assertWaits(after, enforcing(), since, 11);
    }

    @Test
    void anExceptionThatEndedBeforeTheRestartIsNotCountedAgain() {
        EngineScenario before =
                excepted(SETTINGS, 40, EngineScenario.START.plusSeconds(120)).afterSeconds(190);
        acknowledge(before, enforcing());

        assertMoves(restarted(before.afterSeconds(10)));
    }

    /** {@return settings with which the operator protects pods so} */
    private static EngineSettings protecting(ProtectedPods pods, String... exemptNamespaces) {
        EngineSettings plain = EngineScenario.settings();
        return new EngineSettings(
                        plain.operatorLimits(),
                        pods,
                        Set.of(exemptNamespaces),
                        plain.replacementTimes(),
                        plain.breakers())
                .withLedger();
    }

    private static final ProtectedPods PLAIN = ProtectedPods.in(Set.of("kube-system"));

    private static ClusterBuilder brokenOf(String scheduler, int pods) {
        ClusterBuilder facts = broken(0);
        for (int i = 1; i <= pods; i++) {
            facts.replicaSet("web-" + i, 1)
                    .pod(
                            "web-" + i,
                            on("n1"),
                            replicaOf("web-" + i),
                            nodeSelector("disk", "ssd"),
                            scheduledBy(scheduler));
        }
        return facts;
    }

    /** {@return a scenario whose first backlog is acknowledged, and whose ledger is written} */
    private static EngineScenario settled(EngineSettings settings, ClusterBuilder facts, Event.PolicyChanged policy) {
        EngineScenario engineScenario =
                EngineScenario.begin(settings, facts).event(policy).afterSeconds(5);
        if (!engineScenario.backlogs.isEmpty()) {
            acknowledge(engineScenario, enforcing());
        }
        return engineScenario.afterSeconds(10);
    }

    private static final Event.PolicyChanged ENFORCING = new Event.PolicyChanged(enforcing());

    static Stream<Arguments> unprotected() {
        EngineSettings volcano =
                protecting(new ProtectedPods(Set.of("kube-system"), Set.of("default-scheduler", "volcano")));
        String fewer = "the operator's configuration protects fewer pods (before: ";
        return Stream.of(
                argumentSet(
                        "of a namespace that was protected",
                        settled(protecting(ProtectedPods.in(Set.of(Facts.NAMESPACE))), broken(11), ENFORCING),
                        protecting(PLAIN),
                        fewer + "namespace " + Facts.NAMESPACE + " is protected)"),
                argumentSet(
                        "of a namespace that was exempt, which protects it too",
                        settled(protecting(PLAIN, Facts.NAMESPACE), broken(11), ENFORCING),
                        protecting(PLAIN),
                        fewer + "namespace " + Facts.NAMESPACE + " is protected)"),
                argumentSet(
                        "of a scheduler that was foreign",
                        settled(protecting(PLAIN), brokenOf("volcano", 11), ENFORCING),
                        volcano,
                        fewer + "scheduler volcano would place the replacement, and schedulerNames of the operator"
                                + " lacks this scheduler)"),
                argumentSet(
                        "whose partners were exempt from anti-affinity",
                        settled(protecting(PLAIN, "agents"), besideAgents(11), ENFORCING),
                        protecting(ProtectedPods.in(Set.of("agents"))),
                        "the operator's configuration exempts fewer namespaces from anti-affinity"));
    }

    private static ClusterBuilder besideAgents(int pods) {
        ClusterBuilder facts = broken(0).namespace("agents", labels());
        for (int i = 1; i <= pods; i++) {
            facts.node("host-" + i, labels("kubernetes.io/hostname", "host-" + i))
                    .pod("agent-" + i, in("agents"), on("host-" + i), labels("app", "agent"))
                    .replicaSet("web-" + i, 1)
                    .pod(
                            "web-" + i,
                            on("host-" + i),
                            replicaOf("web-" + i),
                            apartFrom(
                                    term(matchLabels("app", "agent"), "kubernetes.io/hostname", namespaces("agents"))));
        }
        return facts;
    }

    @ParameterizedTest
    @MethodSource("unprotected")
    void aRestartWaitsThatMayEvictPods(EngineScenario before, EngineSettings settings, String since) {
        assertWaits(before.restarted(settings).replacingOn("spare"), enforcing(), since, 11);
    }

    @Test
    void whatTheConfigurationProtectedIsAskedOnceAlsoIfTheClockIsTrustedLater() {
        EngineScenario before = settled(protecting(ProtectedPods.in(Set.of(Facts.NAMESPACE))), broken(11), ENFORCING);
        EngineScenario after = before.restartedBeforeTheClockIsTrusted(protecting(PLAIN))
                .replacingOn("spare")
                .afterSeconds(10);
        acknowledge(after, enforcing());

        after.event(new Event.WallClockRead(WallClock.trusted(Duration.ZERO)));

        assertThat(after.afterSeconds(600).evicted()).isNotEmpty();
        assertThat(after.backlogs)
                .extracting(BacklogReport::change)
                .containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.ACKNOWLEDGED);
    }

    static Stream<Arguments> alike() {
        DisruptionControls allowing =
                ControlsDraft.plain().allowed(Set.of(Reason.FOREIGN_SCHEDULER)).controls();
        EngineSettings volcano =
                protecting(new ProtectedPods(Set.of("kube-system"), Set.of("default-scheduler", "volcano")));
        EngineSettings shop = protecting(ProtectedPods.in(Set.of(Facts.NAMESPACE)));
        return Stream.of(
                argumentSet("ten pods, which are few", settled(shop, broken(10), ENFORCING), protecting(PLAIN)),
                argumentSet(
                        "pods of other namespaces",
                        settled(protecting(ProtectedPods.in(Set.of("bank"))), broken(11), ENFORCING),
                        protecting(PLAIN)),
                argumentSet(
                        "pods of a foreign scheduler, which the policy allows",
                        settled(
                                protecting(PLAIN),
                                brokenOf("volcano", 11),
                                new Event.PolicyChanged(enforcing(), allowing)),
                        volcano));
    }

    @ParameterizedTest
    @MethodSource("alike")
    void aRestartDoesNotWaitWhoseConfigurationUnprotects(EngineScenario before, EngineSettings settings) {
        assertMoves(before.restarted(settings).replacingOn("spare"));
    }

    @Test
    void aLedgerOfAnEarlierVersionDoesNotSayWhatWasProtected() {
        EngineScenario before = settled(protecting(ProtectedPods.in(Set.of(Facts.NAMESPACE))), broken(11), ENFORCING);
        before.stored = before.stored.map(WideningRestartTest::ofAnEarlierVersion);

        assertMoves(restarted(before));
    }
}
