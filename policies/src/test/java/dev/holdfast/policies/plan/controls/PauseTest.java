package dev.holdfast.policies.plan.controls;

import static dev.holdfast.policies.plan.controls.CronScheduleTest.window;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.plan.controls.Pause.State;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.testing.Demands;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests when a pause applies, and to which namespaces. The time zone of the windows is Zurich, one hour ahead of UTC in
 * November.
 */
class PauseTest {
    private static final Labels BLUE = Labels.of("team", "blue");

    /** Open from 09:00 to 10:00 UTC. */
    private static final MaintenanceWindow MORNING =
            window(MaintenanceWindow.Action.DENY, "0 10 * * *", Duration.ofHours(1));

    /** Open from 09:30 to 11:30 UTC. */
    private static final MaintenanceWindow LONGER =
            window(MaintenanceWindow.Action.DENY, "30 10 * * *", Duration.ofHours(2));

    /** Open from 11:30 to 12:30 UTC, right after {@link #LONGER}. */
    private static final MaintenanceWindow NOON =
            window(MaintenanceWindow.Action.DENY, "30 12 * * *", Duration.ofHours(1));

    private static final MaintenanceWindow EACH_HOUR =
            window(MaintenanceWindow.Action.DENY, "0 * * * *", Duration.ofHours(1));

    /** Opens on a day that never comes. */
    private static final MaintenanceWindow NEVER =
            window(MaintenanceWindow.Action.DENY, "0 0 30 2 *", Duration.ofHours(1));

    private static Instant at(String time) {
        return Instant.parse("2026-11-20T" + time + "Z");
    }

    private static Pause pause(Optional<String> until, MaintenanceWindow... maintenanceWindows) {
        return new Pause(
                "freeze", "quarter end", Optional.empty(), List.of(maintenanceWindows), until.map(PauseTest::at));
    }

    private static State active(String until) {
        return new State.Active(Optional.of(at(until)));
    }

    private static State outside(String next) {
        return new State.OutsideWindow(Optional.of(at(next)));
    }

    static Stream<Arguments> standings() {
        return Stream.of(
                row("without an end it always applies", pause(Optional.empty()), "12:00:00", withoutEnd()),
                row("before its end it applies", pause(Optional.of("12:00:01")), "12:00:00", active("12:00:01")),
                row("at its end it has expired", pause(Optional.of("12:00:00")), "12:00:00", expired("12:00:00")),
                row("in its window it applies", pause(Optional.empty(), MORNING), "09:00:00", active("10:00:00")),
                row(
                        "a second before its window it does not apply",
                        pause(Optional.empty(), MORNING),
                        "08:59:59",
                        outside("09:00:00")),
                row(
                        "when its window closes it does not apply: the next opens tomorrow",
                        pause(Optional.empty(), MORNING),
                        "10:00:00",
                        new State.OutsideWindow(Optional.of(Instant.parse("2026-11-21T09:00:00Z")))),
                row(
                        "two open windows: the later end counts",
                        pause(Optional.empty(), MORNING, LONGER),
                        "09:45:00",
                        active("11:30:00")),
                row(
                        "overlapping and adjacent windows: the last end counts",
                        pause(Optional.empty(), MORNING, LONGER, NOON),
                        "09:15:00",
                        active("12:30:00")),
                row(
                        "a window each hour that lasts an hour: no end within the computed time",
                        pause(Optional.empty(), EACH_HOUR),
                        "12:20:00",
                        unbroken()),
                row("the same at the end of one of them", pause(Optional.empty(), EACH_HOUR), "12:00:00", unbroken()),
                row(
                        "the same if the pause ends before",
                        pause(Optional.of("23:00:00"), EACH_HOUR),
                        "12:20:00",
                        active("23:00:00")),
                row(
                        "two later windows: the first counts",
                        pause(Optional.empty(), LONGER, MORNING),
                        "08:00:00",
                        outside("09:00:00")),
                row(
                        "the pause ends before its window closes",
                        pause(Optional.of("09:20:00"), MORNING),
                        "09:10:00",
                        active("09:20:00")),
                row(
                        "the pause has expired while its window is open",
                        pause(Optional.of("09:20:00"), MORNING),
                        "09:20:00",
                        expired("09:20:00")),
                row(
                        "the pause ends before its window opens",
                        pause(Optional.of("08:30:00"), MORNING),
                        "08:00:00",
                        outside("08:30:00")),
                row(
                        "a window that never opens",
                        pause(Optional.empty(), NEVER),
                        "12:00:00",
                        new State.OutsideWindow(Optional.empty())));
    }

    /** {@return the state of a pause whose windows leave no gap in the 200 hours from noon on} */
    private static State unbroken() {
        return new State.Unbroken(Instant.parse("2026-11-28T20:00:00Z"));
    }

    private static State withoutEnd() {
        return new State.Active(Optional.empty());
    }

    private static State expired(String when) {
        return new State.Expired(at(when));
    }

    private static Arguments row(String name, Pause pause, String now, State expected) {
        return argumentSet(name, pause, at(now), expected);
    }

    @ParameterizedTest
    @MethodSource("standings")
    void itStandsAsTheHourSays(Pause pause, Instant now, State expected) {
        assertThat(pause.at(now)).isEqualTo(expected);
        assertThat(pause.against(Optional.of(BLUE), now).isPresent())
                .isEqualTo(expected instanceof State.Active || expected instanceof State.Unbroken);
    }

    static Stream<Arguments> namespaces() {
        LabelSelector blue = matchLabels("team", "blue");
        return Stream.of(
                argumentSet("no selector: all", Optional.empty(), Optional.of(Labels.none()), true),
                argumentSet("labels that match", Optional.of(blue), Optional.of(BLUE), true),
                argumentSet("other labels", Optional.of(blue), Optional.of(Labels.of("team", "red")), false),
                argumentSet("no labels", Optional.of(blue), Optional.of(Labels.none()), false),
                argumentSet("no Namespace object: paused to be safe", Optional.of(blue), Optional.empty(), true));
    }

    @ParameterizedTest
    @MethodSource("namespaces")
    void itHoldsThePodsOfItsNamespaces(Optional<LabelSelector> selector, Optional<Labels> namespace, boolean holds) {
        Pause pause = new Pause("freeze", "quarter end", selector.map(Demands::matcher), List.of(), Optional.empty());

        assertThat(pause.against(namespace, at("12:00:00")).isPresent()).isEqualTo(holds);
    }

    @Test
    void theHoldSaysWhoWhyAndUntilWhen() {
        assertThat(pause(Optional.of("13:00:00")).against(Optional.of(BLUE), at("12:00:00")))
                .contains(Hold.until(
                        Reason.PAUSED,
                        "EnforcementPause freeze: quarter end; until 2026-11-20T13:00:00Z",
                        at("13:00:00")));
        assertThat(pause(Optional.empty()).against(Optional.of(BLUE), at("12:00:00")))
                .contains(Hold.untilChange(Reason.PAUSED, "EnforcementPause freeze: quarter end; until it is deleted"));
        assertThat(pause(Optional.empty(), EACH_HOUR).against(Optional.of(BLUE), at("12:00:00")))
                .contains(Hold.until(
                        Reason.PAUSED,
                        "EnforcementPause freeze: quarter end; at least until 2026-11-28T20:00:00Z: its windows leave"
                                + " no gap before that",
                        Instant.parse("2026-11-28T20:00:00Z")));
    }

    @Test
    void aNamespaceWhoseLabelsWereNotReadIsPausedByEverySelector() {
        Pause blue = new Pause(
                "freeze",
                "quarter end",
                Optional.of(Demands.matcher(matchLabels("team", "blue"))),
                List.of(),
                Optional.empty());

        assertThat(blue.appliesTo(Optional.of(Labels.unread()))).isTrue();
        assertThat(blue.appliesTo(Optional.of(Labels.none()))).isFalse();
    }
}
