package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.WideningTest.SETTINGS;
import static dev.holdfast.policies.engine.WideningTest.assertMoves;
import static dev.holdfast.policies.engine.WideningTest.assertWaits;
import static dev.holdfast.policies.engine.WideningTest.daily;
import static dev.holdfast.policies.engine.WideningTest.ended;
import static dev.holdfast.policies.engine.WideningTest.excepted;
import static dev.holdfast.policies.engine.WideningTest.noon;
import static dev.holdfast.policies.engine.WideningTest.pause;
import static dev.holdfast.policies.engine.WideningTest.paused;
import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Facts.labels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.controls.MaintenanceWindow;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.testing.Facts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the end of a pause or an exception counts for backlogs while another hold is shown. The cluster is that of
 * {@link WideningTest}: 11 pods violate their rule.
 */
class HiddenEndTest {
    /** @param hides begins the other hold, {@code shows} ends it */
    record Hiding(Reason reason, Consumer<EngineScenario> hides, Consumer<EngineScenario> shows) {}

    static Stream<Arguments> hiding() {
        return Stream.of(
                argumentSet(
                        "the ledger cannot be written",
                        new Hiding(
                                Reason.LEDGER_UNWRITTEN,
                                scenario -> scenario.failingToWrite("etcd is full")
                                        .happens(namespaceChanged("other", labels("team", "x")))
                                        .event(new Event.PauseChanged(unrelated())),
                                EngineScenario::writingAgain)),
                argumentSet(
                        "a view is lost",
                        new Hiding(
                                Reason.VIEW_NOT_SYNCED,
                                scenario -> scenario.loses(View.NODES),
                                scenario -> scenario.event(new Event.ViewSynced(View.NODES)))),
                argumentSet(
                        "another replica leads",
                        new Hiding(
                                Reason.NOT_LEADER,
                                scenario -> scenario.event(new Event.LeadershipLost("renewal failed", scenario.now)),
                                scenario -> scenario.event(new Event.LeadershipRegained()))));
    }

    /** A change that the ledger has, so that a write is due. */
    private static Pause unrelated() {
        return new Pause(
                "unrelated", "none", Optional.of(matcher(matchLabels("team", "none"))), List.of(), Optional.empty());
    }

    private static void assertHeldBy(EngineScenario engineScenario, Reason reason) {
        assertThat(engineScenario.held()).isEqualTo(reason);
        assertThat(engineScenario.evicted()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("hiding")
    void aPauseThatIsDeletedWaitsAlthough(Hiding hiding) {
        EngineScenario engineScenario =
                paused(SETTINGS, 11, pause(List.of(), Optional.empty())).afterSeconds(600);
        assertHeldBy(engineScenario, Reason.PAUSED);
        hiding.hides().accept(engineScenario);
        engineScenario.afterSeconds(60);
        assertHeldBy(engineScenario, hiding.reason());

        engineScenario.event(new Event.PauseRemoved("freeze")).afterSeconds(60);
        assertHeldBy(engineScenario, hiding.reason());
        hiding.shows().accept(engineScenario);

        assertWaits(engineScenario, enforcing(), ended("until it is deleted"), 11);
    }

    @ParameterizedTest
    @MethodSource("hiding")
    void aPauseThatEndsByItselfWaitsAlthough(Hiding hiding) {
        Instant end = EngineScenario.START.plusSeconds(700);
        EngineScenario engineScenario =
                paused(SETTINGS, 11, pause(List.of(), Optional.of(end))).afterSeconds(600);
        hiding.hides().accept(engineScenario);
        engineScenario.afterSeconds(200);
        assertHeldBy(engineScenario, hiding.reason());

        hiding.shows().accept(engineScenario);

        assertWaits(engineScenario, enforcing(), ended("until " + Hold.second(end)), 11);
    }

    @ParameterizedTest
    @MethodSource("hiding")
    void anExceptionThatEndsWaitsAlthough(Hiding hiding) {
        Instant end = EngineScenario.START.plusSeconds(700);
        EngineScenario engineScenario = excepted(SETTINGS, 11, end).afterSeconds(600);
        hiding.hides().accept(engineScenario);
        engineScenario.afterSeconds(200);
        assertHeldBy(engineScenario, hiding.reason());

        hiding.shows().accept(engineScenario);

        assertWaits(
                engineScenario,
                enforcing(),
                "an exception ended (exception 'legacy' of the policy named it until " + Hold.second(end)
                        + ": it moves later)",
                11);
    }

    /** The pods were never shown as paused. */
    @Test
    void aPauseThatBeganAndEndedWhileTheLedgerCannotBeWrittenWaits() {
        EngineScenario engineScenario = paused(SETTINGS, 11, new Event.PauseChanged(unrelated()))
                .failingToWrite("etcd is full")
                .event(new Event.PauseRemoved("unrelated"))
                .afterSeconds(600);
        engineScenario.event(pause(List.of(), Optional.empty())).after(Duration.ofDays(1));
        assertHeldBy(engineScenario, Reason.LEDGER_UNWRITTEN);

        engineScenario.event(new Event.PauseRemoved("freeze")).afterSeconds(60).writingAgain();

        assertWaits(engineScenario, enforcing(), ended("until it is deleted"), 11);
    }

    @Test
    void aNamespaceThatAPauseNoLongerSelectsWaits() {
        EngineScenario engineScenario = paused(
                        SETTINGS,
                        11,
                        new Event.PauseChanged(new Pause(
                                "freeze",
                                "the month ends",
                                Optional.of(matcher(matchLabels("team", "shop"))),
                                List.of(),
                                Optional.empty())))
                .happens(namespaceChanged(Facts.NAMESPACE, labels("team", "shop")))
                .afterSeconds(600);
        assertHeldBy(engineScenario, Reason.PAUSED);

        engineScenario.happens(namespaceChanged(Facts.NAMESPACE, labels("team", "bank")));

        assertWaits(engineScenario, enforcing(), ended("until it is deleted"), 11);
    }

    @Test
    void aPauseThatIsEditedAndHoldsThePodsStillDoesNotWait() {
        EngineScenario engineScenario =
                paused(SETTINGS, 11, pause(List.of(), Optional.empty())).afterSeconds(600);

        engineScenario
                .event(pause(List.of(), Optional.of(EngineScenario.START.plus(Duration.ofDays(1)))))
                .afterSeconds(600);

        assertHeldBy(engineScenario, Reason.PAUSED);
        assertThat(engineScenario.backlogs).isEmpty();
    }

    @Test
    void aPauseWithWindowsThatEndsInAWindowWaits() {
        Instant end = EngineScenario.START.plusSeconds(700);
        EngineScenario engineScenario = paused(SETTINGS, 11, pause(List.of(noon()), Optional.of(end)));

        assertWaits(engineScenario.afterSeconds(710), enforcing(), ended("until " + Hold.second(end)), 11);
    }

    /** It ended long ago, and counted as active only while nothing was known of the time. */
    @Test
    void aPauseThatOnlyAnUntrustedClockKeptDoesNotWait() {
        EngineScenario engineScenario =
                paused(SETTINGS, 11, pause(List.of(), Optional.of(EngineScenario.START.minusSeconds(600))));
        engineScenario
                .event(new Event.WallClockRead(WallClock.untrusted(Duration.ZERO, "it is 9 minutes behind")))
                .afterSeconds(600);
        assertHeldBy(engineScenario, Reason.PAUSED);

        engineScenario.event(new Event.WallClockRead(WallClock.trusted(Duration.ZERO)));

        assertMoves(engineScenario);
    }

    @Test
    void aPauseThatEndsWhileTheClockIsNotTrustedWaits() {
        Instant end = EngineScenario.START.plusSeconds(700);
        EngineScenario engineScenario =
                paused(SETTINGS, 11, pause(List.of(), Optional.of(end))).afterSeconds(600);
        engineScenario
                .event(new Event.WallClockRead(WallClock.untrusted(Duration.ZERO, "it is 9 minutes behind")))
                .afterSeconds(600);
        assertHeldBy(engineScenario, Reason.PAUSED);

        engineScenario.event(new Event.WallClockRead(WallClock.trusted(Duration.ZERO)));

        assertWaits(engineScenario, enforcing(), ended("until " + Hold.second(end)), 11);
    }

    @Test
    void anExceptionThatEndsWhileTheClockIsNotTrustedWaits() {
        Instant end = EngineScenario.START.plusSeconds(700);
        EngineScenario engineScenario = excepted(SETTINGS, 11, end).afterSeconds(600);
        engineScenario
                .event(new Event.WallClockRead(WallClock.untrusted(Duration.ZERO, "it is 9 minutes behind")))
                .afterSeconds(600);
        assertHeldBy(engineScenario, Reason.EXCEPTION);

        engineScenario.event(new Event.WallClockRead(WallClock.trusted(Duration.ZERO)));

        assertWaits(
                engineScenario,
                enforcing(),
                "an exception ended (exception 'legacy' of the policy named it until " + Hold.second(end)
                        + ": it moves later)",
                11);
    }

    @Test
    void anExceptionThatASmallStepOfTheClockEndsWaits() {
        Instant end = EngineScenario.START.plusSeconds(700);
        EngineScenario engineScenario = excepted(SETTINGS, 11, end).afterSeconds(699);
        engineScenario.event(new Event.WallClockRead(WallClock.trusted(Duration.ZERO)));

        engineScenario.event(new Event.WallClockRead(WallClock.trusted(Duration.ofSeconds(2))));

        assertWaits(
                engineScenario,
                enforcing(),
                "an exception ended (exception 'legacy' of the policy named it until " + Hold.second(end)
                        + ": it moves later)",
                11);
    }

    /** The end of the other pause is announced, so that it asks nothing. */
    @Test
    void aPauseThatEndsInAWindowOfAnotherOneWaits() {
        Instant end = EngineScenario.START.plusSeconds(700);
        EngineScenario engineScenario =
                paused(SETTINGS, 11, pause(List.of(), Optional.of(end))).event(daily());

        assertWaits(engineScenario.after(Duration.ofHours(1)), enforcing(), ended("until " + Hold.second(end)), 11);
    }

    @Test
    void anExceptionThatEndsInAWindowOfAPauseWaits() {
        Instant end = EngineScenario.START.plusSeconds(700);
        EngineScenario engineScenario = excepted(SETTINGS, 11, end).event(daily());
        engineScenario.afterSeconds(800).happens(namespaceChanged("other", labels("team", "x")));

        assertWaits(
                engineScenario.after(Duration.ofHours(1)),
                enforcing(),
                "an exception ended (exception 'legacy' of the policy named it until " + Hold.second(end)
                        + ": it moves later)",
                11);
    }

    @Test
    void aPauseWhoseWindowGetsLongerAndAnotherNameAsksNothing() {
        MaintenanceWindow longer = new MaintenanceWindow(
                "afternoon", MaintenanceWindow.Action.DENY, noon().schedule(), Duration.ofHours(2), noon().zone());
        EngineScenario engineScenario =
                paused(SETTINGS, 11, pause(List.of(noon()), Optional.empty())).afterSeconds(600);

        engineScenario.event(pause(List.of(longer), Optional.empty())).after(Duration.ofHours(3));

        assertThat(engineScenario.backlogs).isEmpty();
    }

    static Stream<Arguments> lessOften() {
        MaintenanceWindow brief = new MaintenanceWindow(
                "noon", MaintenanceWindow.Action.DENY, noon().schedule(), Duration.ofMinutes(5), noon().zone());
        return Stream.of(
                argumentSet("it had none", List.of(), noon(), "until it is deleted"),
                argumentSet(
                        "they were longer",
                        List.of(noon()),
                        brief,
                        "until " + Hold.second(EngineScenario.START.plus(Duration.ofHours(1)))));
    }

    /** Windows close as announced, but nothing announces the edit. */
    @ParameterizedTest
    @MethodSource("lessOften")
    void aPauseThatGetsOtherWindowsWaitsIf(List<MaintenanceWindow> before, MaintenanceWindow after, String howLong) {
        EngineScenario engineScenario =
                paused(SETTINGS, 11, pause(before, Optional.empty())).afterSeconds(600);

        engineScenario.event(pause(List.of(after), Optional.empty())).after(Duration.ofHours(1));

        assertWaits(engineScenario, enforcing(), ended(howLong), 11);
    }
}
