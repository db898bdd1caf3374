package dev.holdfast.operator.lead;

import static dev.holdfast.policies.testing.Demands.matcher;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.plan.controls.CronSchedule;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaintenanceWindow;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.testing.ControlsDraft;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that no eviction is requested while a window, a pause, an exception or an annotation forbids it by the API
 * server's time, whatever the clock of the machine shows.
 *
 * <p>In each row the machine starts at 12:00 or ten minutes beside it. The pod becomes due after 21 minutes by the
 * monotonic clock. A wrong clock is corrected at 14:15.
 */
class WrongClockTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    /**
     * What happens to the clock of a machine.
     *
     * @param start the API server's time when the machine starts
     * @param ahead how far the machine's clock is ahead at the start
     * @param at1205 what happens at 12:05 by the API server's time, or at the start if that is later
     * @param opensAt14 when an eviction is requested that is forbidden until 14:00
     * @param closesAt13 when an eviction is requested that is forbidden from 13:00 to 15:00; absent if not before 14:30
     */
    record Clock(
            String name,
            Instant start,
            Duration ahead,
            Consumer<SleepyMachine> at1205,
            String opensAt14,
            Optional<String> closesAt13) {}

    /** What forbids evictions at times. */
    record Gate(String name, DisruptionControls controls, Optional<Pause> pause, List<String> annotations) {}

    private static List<Clock> clocks() {
        Duration ten = Duration.ofMinutes(10);
        return List.of(
                new Clock("right", NOON, Duration.ZERO, _ -> {}, "14:00", Optional.of("12:21")),
                new Clock("10 min ahead at the start", NOON.minus(ten), ten, _ -> {}, "14:15", Optional.empty()),
                new Clock(
                        "10 min behind at the start",
                        NOON.plus(ten),
                        ten.negated(),
                        _ -> {},
                        "14:15",
                        Optional.empty()),
                new Clock(
                        "set forward by an hour",
                        NOON,
                        Duration.ZERO,
                        machine -> machine.wallMoves(HOUR),
                        "14:15",
                        Optional.empty()),
                new Clock(
                        "set back by an hour",
                        NOON,
                        Duration.ZERO,
                        machine -> machine.wallMoves(HOUR.negated()),
                        "14:15",
                        Optional.empty()),
                new Clock(
                        "right after an hour of sleep in which the monotonic clock stands",
                        NOON,
                        Duration.ZERO,
                        machine -> machine.sleeps(HOUR),
                        "14:00",
                        Optional.empty()),
                new Clock(
                        "right after an hour of sleep in which the monotonic clock goes on",
                        NOON,
                        Duration.ZERO,
                        machine -> machine.sleepsWhileTheMonotonicClockGoesOn(HOUR),
                        "14:00",
                        Optional.empty()),
                new Clock(
                        "not comparable from 12:05",
                        NOON,
                        Duration.ZERO,
                        SleepyMachine::sendNoDates,
                        "14:15",
                        Optional.empty()));
    }

    private static MaintenanceWindow window(MaintenanceWindow.Action action, String schedule, Duration open) {
        return switch (CronSchedule.of(schedule)) {
            case ParseResult.Usable<CronSchedule>(CronSchedule it) ->
                new MaintenanceWindow("window", action, it, open, ZoneOffset.UTC);
            case ParseResult.Unusable<CronSchedule>(String why) -> throw new AssertionError(why);
        };
    }

    private static Gate windows(String name, MaintenanceWindow window) {
        return new Gate(name, controls(List.of(window), List.of()), Optional.empty(), List.of());
    }

    private static Gate pause(String name, List<MaintenanceWindow> windows, Optional<Instant> until) {
        return new Gate(
                name,
                DisruptionControls.plain(),
                Optional.of(new Pause("freeze", "quarter end", Optional.empty(), windows, until)),
                List.of());
    }

    private static DisruptionControls controls(
            List<MaintenanceWindow> windows, List<DisruptionControls.StandingException> exceptions) {
        return ControlsDraft.plain().windows(windows).exceptions(exceptions).controls();
    }

    private static List<Gate> openingAt14() {
        Instant end = Instant.parse("2026-11-20T14:00:00Z");
        MaintenanceWindow until14 = window(MaintenanceWindow.Action.DENY, "0 0 * * *", Duration.ofHours(14));
        return List.of(
                windows("a Deny window", until14),
                windows("an Allow window", window(MaintenanceWindow.Action.ALLOW, "0 14 * * *", Duration.ofHours(4))),
                pause("a pause with a window", List.of(until14), Optional.empty()),
                pause("a pause with an end", List.of(), Optional.of(end)),
                new Gate(
                        "an exception with an end",
                        controls(
                                List.of(),
                                List.of(new DisruptionControls.StandingException(
                                        "failover",
                                        matcher(LabelSelector.everything()),
                                        Optional.of(end),
                                        "failover planned"))),
                        Optional.empty(),
                        List.of()),
                new Gate(
                        "keep-until",
                        DisruptionControls.plain(),
                        Optional.empty(),
                        List.of("holdfast.dev/keep-until", end.toString())));
    }

    private static List<Gate> closedFrom(String schedule, Duration before, Duration closed) {
        MaintenanceWindow deny = window(MaintenanceWindow.Action.DENY, schedule, closed);
        return List.of(
                windows("a Deny window", deny),
                windows("an Allow window", window(MaintenanceWindow.Action.ALLOW, "0 0 * * *", before)),
                pause("a pause with a window", List.of(deny), Optional.empty()));
    }

    static Stream<Arguments> rowsOpeningAt14() {
        return rows(openingAt14());
    }

    static Stream<Arguments> rowsClosedFrom1215() {
        return rows(closedFrom("15 12 * * *", Duration.ofMinutes(735), Duration.ofMinutes(165)));
    }

    static Stream<Arguments> rowsClosedFrom13() {
        return rows(closedFrom("0 13 * * *", Duration.ofHours(13), Duration.ofHours(2)));
    }

    private static Stream<Arguments> rows(List<Gate> gates) {
        return clocks().stream()
                .flatMap(clock ->
                        gates.stream().map(gate -> argumentSet(gate.name() + ", clock " + clock.name(), clock, gate)));
    }

    /** {@return the machine after 14:30 by the API server's time} */
    private static SleepyMachine played(Clock clock, Gate gate) {
        SleepyMachine machine = new SleepyMachine(clock.start(), clock.ahead());
        machine.begin(gate.controls(), gate.pause(), gate.annotations());
        machine.runUntil(NOON.plus(Duration.ofMinutes(5)));
        clock.at1205().accept(machine);
        machine.runFor(Duration.ofMinutes(20).minus(machine.ranFor()));
        machine.breakRule();
        machine.runUntil(NOON.plus(Duration.ofMinutes(135)));
        machine.sendDates();
        machine.correct();
        machine.runUntil(NOON.plus(Duration.ofMinutes(150)));
        return machine;
    }

    private static void assertEvictedAt(String time, SleepyMachine machine) {
        Instant expected = Instant.parse("2026-11-20T" + time + ":00Z");
        assertThat(machine.evictions()).hasSize(1);
        assertThat(machine.evictions().getFirst()).isBetween(expected, expected.plusSeconds(10));
    }

    @ParameterizedTest
    @MethodSource("rowsOpeningAt14")
    void anEvictionThatIsForbiddenUntil14IsRequestedThenIfTheClockAgreesAndAfterItsCorrectionIfNot(
            Clock clock, Gate gate) {
        assertEvictedAt(clock.opensAt14(), played(clock, gate));
    }

    @ParameterizedTest
    @MethodSource("rowsClosedFrom1215")
    void anEvictionThatIsForbiddenFrom1215To15IsNeverRequested(Clock clock, Gate gate) {
        assertThat(played(clock, gate).evictions()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("rowsClosedFrom13")
    void anEvictionThatIsForbiddenFrom13To15IsRequestedBeforeThatOnlyIfTheClockAgrees(Clock clock, Gate gate) {
        SleepyMachine machine = played(clock, gate);

        clock.closesAt13()
                .ifPresentOrElse(
                        time -> assertEvictedAt(time, machine),
                        () -> assertThat(machine.evictions()).isEmpty());
    }

    @Test
    void aWrongClockHoldsNothingIfNoTimeIsSet() {
        SleepyMachine machine = new SleepyMachine(NOON, Duration.ofDays(400));
        machine.begin(DisruptionControls.plain(), Optional.empty(), List.of());
        machine.breakRule();
        machine.runUntil(NOON.plusSeconds(70));

        assertThat(machine.evictions()).hasSize(1);
    }

    @Test
    void theHoldSaysHowWrongTheClockIsAndThatItMustBeCorrected() {
        SleepyMachine machine = new SleepyMachine(NOON, Duration.ofSeconds(192));
        machine.begin(openingAt14().getFirst().controls(), Optional.empty(), List.of());
        machine.breakRule();
        machine.runUntil(NOON.plusSeconds(600));

        assertThat(machine.holds())
                .containsExactly("the policy's windows count as closed: the clock of this machine is 3m12s ahead of"
                        + " the API server's: correct it");
    }
}
