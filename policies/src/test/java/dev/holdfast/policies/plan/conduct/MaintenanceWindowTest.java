package dev.holdfast.policies.plan.conduct;

import static dev.holdfast.policies.plan.conduct.CronScheduleTest.schedule;
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

/** Until when windows keep evictions from being made, all of a policy together, on Friday, 20 November 2026. */
class MaintenanceWindowTest {
    private static MaintenanceWindow deny(String schedule, Duration duration) {
        return window(MaintenanceWindow.Action.DENY, schedule, duration);
    }

    private static MaintenanceWindow allow(String schedule, Duration duration) {
        return window(MaintenanceWindow.Action.ALLOW, schedule, duration);
    }

    private static MaintenanceWindow window(MaintenanceWindow.Action action, String schedule, Duration duration) {
        return new MaintenanceWindow(action, schedule(schedule), duration, ZoneId.of("UTC"));
    }

    private static final MaintenanceWindow EARLY = deny("0 7 * * *", Duration.ofHours(2));
    private static final MaintenanceWindow LATE = deny("30 8 * * *", Duration.ofHours(10));
    private static final MaintenanceWindow NIGHT = allow("0 22 * * *", Duration.ofHours(6));

    static Stream<Arguments> closings() {
        return Stream.of(
                row(
                        "one denial: its end",
                        "08:00",
                        "window Deny '0 7 * * *' for 7200 s in UTC is open until 2026-11-20T09:00:00Z",
                        "2026-11-20T09:00:00Z",
                        EARLY),
                row(
                        "a denial that begins while another is open: the end of both",
                        "08:00",
                        "window Deny '0 7 * * *' for 7200 s in UTC is open, and no eviction may be made until"
                                + " 2026-11-20T18:30:00Z",
                        "2026-11-20T18:30:00Z",
                        EARLY,
                        LATE),
                row(
                        "a denial that begins when another ends",
                        "08:00",
                        "window Deny '0 7 * * *' for 7200 s in UTC is open, and no eviction may be made until"
                                + " 2026-11-20T10:00:00Z",
                        "2026-11-20T10:00:00Z",
                        EARLY,
                        deny("0 9 * * *", Duration.ofHours(1))),
                row(
                        "a second of freedom between two denials ends the first",
                        "08:00",
                        "window Deny '0 7 * * *' for 7199 s in UTC is open until 2026-11-20T08:59:59Z",
                        "2026-11-20T08:59:59Z",
                        deny("0 7 * * *", Duration.ofSeconds(7199)),
                        deny("0 9 * * *", Duration.ofHours(1))),
                row(
                        "after the denial nothing allows any before the night",
                        "08:00",
                        "window Deny '0 7 * * *' for 7200 s in UTC is open, and no eviction may be made until"
                                + " 2026-11-20T22:00:00Z",
                        "2026-11-20T22:00:00Z",
                        EARLY,
                        NIGHT),
                row(
                        "a permission that comes",
                        "08:00",
                        "no window that allows evictions is open until 2026-11-20T22:00:00Z",
                        "2026-11-20T22:00:00Z",
                        NIGHT),
                row(
                        "a permission whose beginning is denied",
                        "08:00",
                        "no window that allows evictions is open until 2026-11-20T23:00:00Z",
                        "2026-11-20T23:00:00Z",
                        NIGHT,
                        deny("0 21 * * *", Duration.ofHours(2))),
                row(
                        "a permission that never comes",
                        "08:00",
                        "no window that allows evictions ever opens",
                        "",
                        allow("0 0 30 2 *", Duration.ofHours(1))),
                row(
                        "a permission that comes in two years",
                        "08:00",
                        "no window that allows evictions is open until 2028-02-29T00:00:00Z",
                        "2028-02-29T00:00:00Z",
                        allow("0 0 29 2 *", Duration.ofHours(1))),
                row(
                        "a denial for the time until one that never comes",
                        "08:00",
                        "window Deny '0 7 * * *' for 7200 s in UTC is open, and no window that allows evictions ever"
                                + " opens",
                        "",
                        EARLY,
                        allow("0 0 30 2 *", Duration.ofHours(1))),
                row(
                        "a denial of a week each week: 400 days ahead it is looked at again",
                        "08:00",
                        "closed for as long as can be seen: no eviction may be made before 2027-12-26T00:00:00Z",
                        "2027-12-26T00:00:00Z",
                        deny("@weekly", Duration.ofDays(7))),
                row(
                        "a denial each five minutes of ten minutes: after 200 of them it is looked at again",
                        "08:00",
                        "closed for as long as can be seen: no eviction may be made before 2026-11-21T17:00:00Z",
                        "2026-11-21T17:00:00Z",
                        deny("*/5 * * * *", Duration.ofMinutes(10))),
                row(
                        "a denial each minute of a minute, the shortest there is",
                        "08:00",
                        "closed for as long as can be seen: no eviction may be made before 2026-11-20T11:00:00Z",
                        "2026-11-20T11:00:00Z",
                        deny("* * * * *", Duration.ofMinutes(1))),
                row(
                        "a permission that is always denied",
                        "08:00",
                        "closed for as long as can be seen: no eviction may be made before 2027-02-28T05:00:00Z",
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
    void a_hold_says_until_when_nothing_may_be_moved(
            List<MaintenanceWindow> maintenanceWindows, Instant now, Hold expected) {
        assertThat(MaintenanceWindow.against(maintenanceWindows, now)).contains(expected);
    }

    @ParameterizedTest
    @MethodSource("closings")
    void until_then_nothing_may_be_moved_indeed(List<MaintenanceWindow> maintenanceWindows, Instant now, Hold hold) {
        Instant end = hold.nextLook().orElseGet(() -> now.plus(Duration.ofDays(1)));

        assertThat(Stream.iterate(now, at -> at.isBefore(end), at -> at.plus(Duration.ofMinutes(61)))
                        .filter(at -> MaintenanceWindow.against(maintenanceWindows, at)
                                .isEmpty()))
                .isEmpty();
        assertThat(MaintenanceWindow.against(maintenanceWindows, end.minusSeconds(1)))
                .isPresent();
    }
}
