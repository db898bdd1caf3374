package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.plan.controls.CronSchedule;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaintenanceWindow;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.testing.ControlsDraft;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests windows, pauses, exceptions and keep-until that end at 12:20 by the wall clock. The engine's clock starts at
 * 12:00, and the pod is due at 12:01.
 */
class WallClockScenarioTest {
    private static final String WRONG = "the clock of this machine is 10m ahead of the API server's: correct it";
    private static final Event DISTRUSTED = new Event.WallClockRead(WallClock.untrusted(Duration.ZERO, WRONG));

    private static EngineScenario broken(String... annotations) {
        return EngineScenario.begin(cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .replicaSet("web", 1)
                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"), annotated(annotations)));
    }

    private static Event clockAhead(Duration offset) {
        return new Event.WallClockRead(WallClock.trusted(offset));
    }

    private static MaintenanceWindow until1220() {
        return switch (CronSchedule.of("0 12 * * *")) {
            case ParseResult.Usable<CronSchedule>(CronSchedule it) ->
                new MaintenanceWindow(
                        "deploy", MaintenanceWindow.Action.DENY, it, Duration.ofMinutes(20), ZoneOffset.UTC);
            case ParseResult.Unusable<CronSchedule>(String why) -> throw new AssertionError(why);
        };
    }

    private static Event policy(
            List<MaintenanceWindow> windows, List<DisruptionControls.StandingException> exceptions) {
        return new Event.PolicyChanged(
                enforcing(),
                ControlsDraft.plain().windows(windows).exceptions(exceptions).controls());
    }

    private static Event pause(List<MaintenanceWindow> windows, Optional<Instant> until) {
        return new Event.PauseChanged(new Pause("freeze", "quarter end", Optional.empty(), windows, until));
    }

    static Stream<Arguments> gates() {
        Instant end = Instant.parse("2026-11-20T12:20:00Z");
        Event plain = policy(List.of(), List.of());
        return Stream.of(
                argumentSet("a window", List.of(policy(List.of(until1220()), List.of())), List.of()),
                argumentSet(
                        "a pause with a window",
                        List.of(plain, pause(List.of(until1220()), Optional.empty())),
                        List.of()),
                argumentSet("a pause with an end", List.of(plain, pause(List.of(), Optional.of(end))), List.of()),
                argumentSet(
                        "an exception with an end",
                        List.of(policy(
                                List.of(),
                                List.of(new DisruptionControls.StandingException(
                                        "failover",
                                        matcher(LabelSelector.everything()),
                                        Optional.of(end),
                                        "failover planned")))),
                        List.of()),
                argumentSet("keep-until", List.of(plain), List.of("holdfast.dev/keep-until", end.toString())));
    }

    private static EngineScenario gated(List<Event> events, List<String> annotations) {
        EngineScenario engineScenario = broken(annotations.toArray(String[]::new));
        events.forEach(engineScenario::event);
        return engineScenario;
    }

    @ParameterizedTest
    @MethodSource("gates")
    void whatEndsByTheWallClockEndsEarlierForAnEngineWhoseClockIsBehind(List<Event> events, List<String> annotations) {
        EngineScenario engineScenario = gated(events, annotations)
                .event(clockAhead(Duration.ofMinutes(10)))
                .afterSeconds(599);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @ParameterizedTest
    @MethodSource("gates")
    void aClockThatIsSetBackLaterMovesTheEnd(List<Event> events, List<String> annotations) {
        EngineScenario engineScenario = gated(events, annotations)
                .afterSeconds(600)
                .event(clockAhead(Duration.ofMinutes(-5)))
                .afterSeconds(899);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @ParameterizedTest
    @MethodSource("gates")
    void nothingEndsWhileTheClockIsNotTrustedAndEverythingThatIsOverEndsWhenItIs(
            List<Event> events, List<String> annotations) {
        EngineScenario engineScenario =
                gated(events, annotations).event(DISTRUSTED).afterSeconds(7_200);
        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.heldBecause()).endsWith(WRONG);

        engineScenario.event(clockAhead(Duration.ZERO)).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aClockThatTurnsOutWrongWhileThePodIsReadKeepsTheDryRunFromBeingSent() {
        EngineScenario engineScenario = broken().event(policy(List.of(until1220()), List.of()))
                .duringReads(DISTRUSTED)
                .afterSeconds(1_200);

        assertThat(engineScenario.reads).hasSize(1);
        assertThat(engineScenario.dryRuns).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.WINDOW_CLOSED);
    }

    @Test
    void aPauseWithoutWindowsOrEndSaysNothingOfTheClock() {
        EngineScenario engineScenario = broken().event(policy(List.of(), List.of()))
                .event(pause(List.of(), Optional.empty()))
                .event(DISTRUSTED)
                .afterSeconds(600);

        assertThat(engineScenario.heldBecause()).isEqualTo("EnforcementPause freeze: quarter end; until it is deleted");
    }

    @Test
    void keepUntilThatIsTakenOffWhileTheClockIsNotTrustedCountsAsStillInForce() {
        EngineScenario engineScenario = broken("holdfast.dev/keep-until", "2026-11-20T12:00:30Z")
                .event(policy(List.of(), List.of()))
                .event(DISTRUSTED)
                .afterSeconds(120)
                .happens(podChanged("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")))
                .afterSeconds(59);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }
}
