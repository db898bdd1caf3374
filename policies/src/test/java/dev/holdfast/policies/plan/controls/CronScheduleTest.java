package dev.holdfast.policies.plan.controls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.selector.ParseResult;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests when cron schedules start. Clocks in Zurich change from 2:00 to 3:00 on 28 March 2027, and from 3:00 to 2:00 on
 * 31 October.
 */
public class CronScheduleTest {
    private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");

    private static final String OPEN = "evictions may be made";
    private static final String NEVER = "for ever";

    static CronSchedule schedule(String written) {
        return switch (CronSchedule.of(written)) {
            case ParseResult.Usable<CronSchedule>(CronSchedule it) -> it;
            case ParseResult.Unusable<CronSchedule>(String why) -> throw new IllegalArgumentException(why);
        };
    }

    static Stream<Arguments> beginnings() {
        return Stream.of(
                row(
                        "every quarter of an hour",
                        "*/15 * * * *",
                        "2027-01-01T10:07+01:00",
                        "2027-01-01T10:15+01:00",
                        "2027-01-01T10:30+01:00"),
                row(
                        "at eight from Monday to Friday, on a Friday evening",
                        "0 8 * * 1-5",
                        "2027-01-08T20:00+01:00",
                        "2027-01-11T08:00+01:00",
                        "2027-01-12T08:00+01:00"),
                row(
                        "the same with names of days",
                        "0 8 * * Mon-fri",
                        "2027-01-08T20:00+01:00",
                        "2027-01-11T08:00+01:00"),
                row("Sunday as 7", "0 0 * * 7", "2027-01-08T20:00+01:00", "2027-01-10T00:00+01:00"),
                row("Sunday as 0", "0 0 * * 0", "2027-01-08T20:00+01:00", "2027-01-10T00:00+01:00"),
                row(
                        "from Friday to Sunday",
                        "0 0 * * 5-7",
                        "2027-01-06T20:00+01:00",
                        "2027-01-08T00:00+01:00",
                        "2027-01-09T00:00+01:00",
                        "2027-01-10T00:00+01:00",
                        "2027-01-15T00:00+01:00"),
                row(
                        "the first of the month or a Monday, where both are restricted",
                        "0 0 1 * 1",
                        "2027-01-30T12:00+01:00",
                        "2027-02-01T00:00+01:00",
                        "2027-02-08T00:00+01:00"),
                row(
                        "from ten o'clock on, every sixth hour",
                        "0 10/6 * * *",
                        "2027-01-01T00:00+01:00",
                        "2027-01-01T10:00+01:00",
                        "2027-01-01T16:00+01:00",
                        "2027-01-01T22:00+01:00",
                        "2027-01-02T10:00+01:00"),
                row(
                        "two hours and a range with steps",
                        "30 1,9-13/2 * JUN *",
                        "2027-06-01T00:00+02:00",
                        "2027-06-01T01:30+02:00",
                        "2027-06-01T09:30+02:00",
                        "2027-06-01T11:30+02:00",
                        "2027-06-01T13:30+02:00",
                        "2027-06-02T01:30+02:00"),
                row("each day by its name", "@daily", "2027-01-08T20:00+01:00", "2027-01-09T00:00+01:00"),
                row("29 February", "0 0 29 2 *", "2027-01-01T00:00+01:00", "2028-02-29T00:00+01:00"),
                row(
                        "exactly at a start, the next one is later",
                        "0 8 * * *",
                        "2027-01-01T08:00+01:00",
                        "2027-01-02T08:00+01:00"),
                row(
                        "2:30 in the night in which clocks are put forward: right after the skipped hour",
                        "30 2 * * *",
                        "2027-03-27T12:00+01:00",
                        "2027-03-28T03:00+02:00",
                        "2027-03-29T02:30+02:00"),
                row(
                        "2:30 in the night in which clocks are put back: once, at the first occurrence",
                        "30 2 * * *",
                        "2027-10-30T12:00+02:00",
                        "2027-10-31T02:30+02:00",
                        "2027-11-01T02:30+01:00"),
                row(
                        "each hour in the night in which clocks are put back: in both hours from 2:00 on",
                        "30 * * * *",
                        "2027-10-31T01:00+02:00",
                        "2027-10-31T01:30+02:00",
                        "2027-10-31T02:30+02:00",
                        "2027-10-31T02:30+01:00",
                        "2027-10-31T03:30+01:00"));
    }

    private static Arguments row(String name, String schedule, String from, String... expected) {
        return argumentSet(name, schedule, from, List.of(expected));
    }

    @ParameterizedTest
    @MethodSource("beginnings")
    void aScheduleBegins(String written, String from, List<String> expected) {
        CronSchedule schedule = schedule(written);
        List<Instant> begun = new ArrayList<>();
        Instant last = instant(from);
        while (begun.size() < expected.size()) {
            last = schedule.next(last, ZURICH).orElseThrow();
            begun.add(last);
        }

        assertThat(begun)
                .containsExactlyElementsOf(
                        expected.stream().map(CronScheduleTest::instant).toList());
        assertThat(schedule.lastBetween(instant(from), last, ZURICH)).contains(last);
        assertThat(schedule.lastBetween(instant(from), begun.getFirst().minusSeconds(1), ZURICH))
                .isEmpty();
    }

    static Instant instant(String written) {
        return OffsetDateTime.parse(written).toInstant();
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatIsNoScheduleIsRefusedWithWhatIsAllowed(String written, String why) {
        assertThat(CronSchedule.of(written)).isEqualTo(new ParseResult.Unusable<CronSchedule>(why));
    }

    static Stream<Arguments> refused() {
        String five = "must have the five fields minute, hour, day of month, month and day of week, got '";
        String words =
                "must be one of @annually, @daily, @hourly, @midnight, @monthly, @weekly, @yearly or have the five"
                        + " fields minute, hour, day of month, month and day of week, got '";
        return Stream.of(
                argumentSet("nothing", "", five + "'"),
                argumentSet("four fields", "0 8 * *", five + "0 8 * *'"),
                argumentSet("an unknown name", "@reboot", words + "@reboot'"),
                argumentSet("a name with a time", "@every 1h", words + "@every 1h'"),
                argumentSet("a minute of 60", "60 8 * * *", of("minute", "0 to 59", "60")),
                argumentSet("a day of 0", "0 8 0 * *", of("day of month", "1 to 31", "0")),
                argumentSet("a range backwards", "0 17-8 * * *", backwards("hour", "17-23,0-8", "17-8")),
                argumentSet("a weekend in numbers", "0 8 * * 5-1", backwards("day of week", "5-7,0-1", "5-1")),
                argumentSet(
                        "a weekend in words", "0 8 * * FRI-MON", backwards("day of week", "FRI-7,0-MON", "FRI-MON")),
                argumentSet("one among others", "0 8 1,25-5/2 * *", backwards("day of month", "25-31,1-5", "1,25-5/2")),
                argumentSet("a range to an invalid value", "0 17-a * * *", of("hour", "0 to 23", "17-a")),
                argumentSet("a step of 0", "*/0 * * * *", of("minute", "0 to 59", "*/0")),
                argumentSet("a sign", "-5 * * * *", of("minute", "0 to 59", "-5")),
                argumentSet("an empty item", "1,,2 * * * *", of("minute", "0 to 59", "1,,2")),
                argumentSet("an unknown month", "0 0 * Brumaire *", of("month", "1 to 12", "Brumaire")),
                argumentSet(
                        "more digits than any value has",
                        "0 100000000000 * * *",
                        of("hour", "0 to 23", "100000000000")));
    }

    private static String backwards(String unit, String instead, String got) {
        return "must have as its " + unit + " no range that runs backwards: write '" + instead + "', got '" + got + "'";
    }

    @Test
    void whatARangeBackwardsIsToBeWrittenAsCanBeRead() {
        assertThat(Stream.of("0 17-23,0-8 * * *", "0 8 * * FRI-7,0-MON", "0 8 25-31,1-5 * *")
                        .map(CronSchedule::of))
                .allMatch(ParseResult.Usable.class::isInstance);
    }

    private static String of(String unit, String values, String got) {
        return "must have as its " + unit + " values from " + values + ", as in '*', '*/2', '1-3' or '1,2', got '" + got
                + "'";
    }

    @ParameterizedTest
    @MethodSource("never")
    void daysThatNeverComeHaveNoBeginning(String written) {
        assertThat(schedule(written).next(instant("2027-01-01T00:00+01:00"), ZURICH))
                .isEqualTo(Optional.empty());
    }

    static Stream<Arguments> never() {
        return Stream.of(argumentSet("the thirtieth of February", "0 0 30 2 *"), argumentSet("31 June", "0 0 31 6 *"));
    }

    static Stream<Arguments> windows() {
        MaintenanceWindow office = window(MaintenanceWindow.Action.DENY, "0 8 * * 1-5", Duration.ofHours(10));
        MaintenanceWindow night = window(MaintenanceWindow.Action.ALLOW, "0 22 * * *", Duration.ofHours(6));
        MaintenanceWindow never = window(MaintenanceWindow.Action.ALLOW, "0 0 30 2 *", Duration.ofHours(6));
        MaintenanceWindow gap = window(MaintenanceWindow.Action.DENY, "30 2 * * *", Duration.ofHours(1));
        return Stream.of(
                argumentSet("no windows: always", List.of(), "2027-01-08T12:00+01:00", OPEN),
                argumentSet(
                        "a denial that is open", List.of(office), "2027-01-08T12:00+01:00", "2027-01-08T18:00+01:00"),
                argumentSet("at its first second", List.of(office), "2027-01-08T08:00+01:00", "2027-01-08T18:00+01:00"),
                argumentSet("at its end", List.of(office), "2027-01-08T18:00+01:00", OPEN),
                argumentSet("a Deny window on a day without it", List.of(office), "2027-01-09T12:00+01:00", OPEN),
                argumentSet("an Allow window over midnight", List.of(night), "2027-01-09T03:59+01:00", OPEN),
                argumentSet(
                        "an Allow window that has closed",
                        List.of(night),
                        "2027-01-09T04:00+01:00",
                        "2027-01-09T22:00+01:00"),
                argumentSet(
                        "one of two permissions that is open", List.of(never, night), "2027-01-09T03:59+01:00", OPEN),
                argumentSet(
                        "a Deny window overrides an Allow window",
                        List.of(office, window(MaintenanceWindow.Action.ALLOW, "* * * * *", Duration.ofMinutes(1))),
                        "2027-01-08T12:00+01:00",
                        "2027-01-08T18:00+01:00"),
                argumentSet("an Allow window that never opens", List.of(never), "2027-01-09T04:00+01:00", NEVER),
                argumentSet(
                        "a Deny window that starts in the skipped hour in spring lasts its full hour",
                        List.of(gap),
                        "2027-03-28T03:59+02:00",
                        "2027-03-28T04:00+02:00"),
                argumentSet(
                        "a Deny window in the repeated hour in autumn lasts one hour",
                        List.of(gap),
                        "2027-10-31T02:29+01:00",
                        "2027-10-31T02:30+01:00"),
                argumentSet(
                        "and does not start again when that hour repeats",
                        List.of(gap),
                        "2027-10-31T02:31+01:00",
                        OPEN));
    }

    public static MaintenanceWindow window(MaintenanceWindow.Action action, String schedule, Duration duration) {
        return new MaintenanceWindow("window", action, schedule(schedule), duration, ZURICH);
    }

    /** @param closed until when evictions are not allowed: an instant, {@link #OPEN} or {@link #NEVER} */
    @ParameterizedTest
    @MethodSource("windows")
    void windowsSayWhenEvictionsMayBeMade(List<MaintenanceWindow> maintenanceWindows, String now, String closed) {
        Optional<Hold> hold = MaintenanceWindow.against(maintenanceWindows, instant(now));

        assertThat(hold.isEmpty()).isEqualTo(closed.equals(OPEN));
        assertThat(hold.flatMap(Hold::nextLook))
                .isEqualTo(
                        closed.equals(OPEN) || closed.equals(NEVER) ? Optional.empty() : Optional.of(instant(closed)));
    }
}
