package dev.holdfast.policies.plan.controls;

import static dev.holdfast.policies.plan.controls.CronScheduleTest.schedule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests until when the windows of a policy together allow no eviction. The day is Friday, 20 November 2026. */
class MaintenanceWindowTest {
    private static MaintenanceWindow deny(String schedule, Duration duration) {
        return window(MaintenanceWindow.Action.DENY, schedule, duration);
    }

    private static MaintenanceWindow allow(String schedule, Duration duration) {
        return window(MaintenanceWindow.Action.ALLOW, schedule, duration);
    }

    private static MaintenanceWindow window(MaintenanceWindow.Action action, String schedule, Duration duration) {
        return new MaintenanceWindow("window", action, schedule(schedule), duration, ZoneId.of("UTC"));
    }

    private static final MaintenanceWindow EARLY = deny("0 7 * * *", Duration.ofHours(2));
    private static final MaintenanceWindow LATE = deny("30 8 * * *", Duration.ofHours(10));
    private static final MaintenanceWindow NIGHT = allow("0 22 * * *", Duration.ofHours(6));

    static Stream<Arguments> closings() {
        return Stream.of(
                row(
                        "one Deny window: its end",
                        "08:00",
                        "window 'window' (Deny '0 7 * * *' for 7200 s in UTC) is open until 2026-11-20T09:00:00Z",
                        "2026-11-20T09:00:00Z",
                        EARLY),
                row(
                        "a Deny window that opens while another is open: the end of both",
                        "08:00",
                        "window 'window' (Deny '0 7 * * *' for 7200 s in UTC) is open, and no eviction may be made"
                                + " until 2026-11-20T18:30:00Z",
                        "2026-11-20T18:30:00Z",
                        EARLY,
                        LATE),
                row(
                        "a Deny window that opens when another closes",
                        "08:00",
                        "window 'window' (Deny '0 7 * * *' for 7200 s in UTC) is open, and no eviction may be made"
                                + " until 2026-11-20T10:00:00Z",
                        "2026-11-20T10:00:00Z",
                        EARLY,
                        deny("0 9 * * *", Duration.ofHours(1))),
                row(
                        "two Deny windows with a second between them: the end of the first",
                        "08:00",
                        "window 'window' (Deny '0 7 * * *' for 7199 s in UTC) is open until 2026-11-20T08:59:59Z",
                        "2026-11-20T08:59:59Z",
                        deny("0 7 * * *", Duration.ofSeconds(7199)),
                        deny("0 9 * * *", Duration.ofHours(1))),
                row(
                        "after the Deny window, the Allow window opens only at night",
                        "08:00",
                        "window 'window' (Deny '0 7 * * *' for 7200 s in UTC) is open, and no eviction may be made"
                                + " until 2026-11-20T22:00:00Z",
                        "2026-11-20T22:00:00Z",
                        EARLY,
                        NIGHT),
                row(
                        "an Allow window that opens later",
                        "08:00",
                        "no window that allows evictions is open until 2026-11-20T22:00:00Z",
                        "2026-11-20T22:00:00Z",
                        NIGHT),
                row(
                        "an Allow window that opens during a Deny window",
                        "08:00",
                        "no window that allows evictions is open until 2026-11-20T23:00:00Z",
                        "2026-11-20T23:00:00Z",
                        NIGHT,
                        deny("0 21 * * *", Duration.ofHours(2))),
                row(
                        "an Allow window that never opens",
                        "08:00",
                        "no window that allows evictions ever opens",
                        "",
                        allow("0 0 30 2 *", Duration.ofHours(1))),
                row(
                        "an Allow window that opens in two years",
                        "08:00",
                        "no window that allows evictions is open until 2028-02-29T00:00:00Z",
                        "2028-02-29T00:00:00Z",
                        allow("0 0 29 2 *", Duration.ofHours(1))),
                row(
                        "a Deny window, and an Allow window that never opens",
                        "08:00",
                        "window 'window' (Deny '0 7 * * *' for 7200 s in UTC) is open, and no window that allows"
                                + " evictions ever opens",
                        "",
                        EARLY,
                        allow("0 0 30 2 *", Duration.ofHours(1))),
                row(
                        "a Deny window of a week each week: computed for 400 days",
                        "08:00",
                        "the windows allow no eviction before 2027-12-26T00:00:00Z; later times are not computed yet",
                        "2027-12-26T00:00:00Z",
                        deny("@weekly", Duration.ofDays(7))),
                row(
                        "a Deny window of ten minutes each five minutes: computed for 200 windows",
                        "08:00",
                        "the windows allow no eviction before 2026-11-21T17:00:00Z; later times are not computed yet",
                        "2026-11-21T17:00:00Z",
                        deny("*/5 * * * *", Duration.ofMinutes(10))),
                row(
                        "a Deny window of a minute each minute, the shortest possible",
                        "08:00",
                        "the windows allow no eviction before 2026-11-20T11:00:00Z; later times are not computed yet",
                        "2026-11-20T11:00:00Z",
                        deny("* * * * *", Duration.ofMinutes(1))),
                row(
                        "an Allow window that is always inside a Deny window",
                        "08:00",
                        "the windows allow no eviction before 2027-02-28T05:00:00Z; later times are not computed yet",
                        "2027-02-28T05:00:00Z",
                        NIGHT,
                        deny("0 21 * * *", Duration.ofHours(8))));
    }

    private static Arguments row(
            String name, String time, String message, String nextLook, MaintenanceWindow... maintenanceWindows) {
        return argumentSet(
                name,
                List.of(maintenanceWindows),
                Instant.parse("2026-11-20T" + time + ":00Z"),
                new Hold(
                        Reason.WINDOW_CLOSED,
                        message,
                        nextLook.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(nextLook))));
    }

    @ParameterizedTest
    @MethodSource("closings")
    void aHoldSaysUntilWhenNothingMayBeMoved(List<MaintenanceWindow> maintenanceWindows, Instant now, Hold expected) {
        assertThat(MaintenanceWindow.against(maintenanceWindows, now)).contains(expected);
    }

    @ParameterizedTest
    @MethodSource("closings")
    void untilThenNothingMayBeMovedIndeed(List<MaintenanceWindow> maintenanceWindows, Instant now, Hold hold) {
        Instant end = hold.nextLook().orElseGet(() -> now.plus(Duration.ofDays(1)));

        assertThat(Stream.iterate(now, at -> at.isBefore(end), at -> at.plus(Duration.ofMinutes(61)))
                        .filter(at -> MaintenanceWindow.against(maintenanceWindows, at)
                                .isEmpty()))
                .isEmpty();
        assertThat(MaintenanceWindow.against(maintenanceWindows, end.minusSeconds(1)))
                .isPresent();
    }
}
