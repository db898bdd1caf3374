package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.PauseWindow;
import dev.holdfast.crds.v1alpha1.PolicyWindow;
import dev.holdfast.operator.config.Week;
import dev.holdfast.policies.plan.conduct.CronSchedule;
import dev.holdfast.policies.plan.conduct.Window;
import dev.holdfast.policies.selector.Parsed;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads windows of policies and of pauses. */
final class WindowReader {
    private static final int MIN_SECONDS = 60;

    /** A schedule that has no beginning after this has none at all. */
    private static final Instant ANY_TIME = Instant.EPOCH;

    private WindowReader() {}

    /** {@return the windows of a policy, without those of which something cannot be used, which is noted} */
    static List<Window> ofPolicy(List<PolicyWindow> written, Place place) {
        List<Window> windows = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            PolicyWindow window = written.get(i);
            Place at = place.item(i);
            at.unknownFields(window.unknownFields().keySet());
            read(action(window, at), window.schedule(), window.durationSeconds(), window.timeZone(), at)
                    .ifPresent(windows::add);
        }
        return windows;
    }

    /** {@return the windows of a pause: open, they deny; without those of which something cannot be used, which is noted} */
    static List<Window> ofPause(List<PauseWindow> written, Place place) {
        List<Window> windows = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            PauseWindow window = written.get(i);
            Place at = place.item(i);
            at.unknownFields(window.unknownFields().keySet());
            Optional<Window.Action> deny = Optional.of(Window.Action.DENY);
            read(deny, window.schedule(), window.durationSeconds(), window.timeZone(), at)
                    .ifPresent(windows::add);
        }
        return windows;
    }

    private static Optional<Window.Action> action(PolicyWindow window, Place place) {
        return switch (window.action()) {
            case DENY -> Optional.of(Window.Action.DENY);
            case ALLOW -> Optional.of(Window.Action.ALLOW);
            case UNRECOGNIZED -> {
                place.field("action").unknown("must be Deny or Allow; this version of Holdfast knows no other");
                yield Optional.empty();
            }
        };
    }

    private static Optional<Window> read(
            Optional<Window.Action> action, String schedule, int seconds, String timeZone, Place place) {
        if (seconds < MIN_SECONDS || seconds > Week.SECONDS) {
            place.field("durationSeconds")
                    .refuse("must be " + MIN_SECONDS + " to " + Week.SECONDS + " (a week), got " + seconds);
        }
        Optional<ZoneId> zone = zone(timeZone, place.field("timeZone"));
        Optional<CronSchedule> read = schedule(schedule, place.field("schedule"));
        return action.flatMap(does ->
                zone.flatMap(in -> read.map(when -> new Window(does, when, Duration.ofSeconds(seconds), in))));
    }

    private static Optional<ZoneId> zone(String written, Place place) {
        try {
            // Offsets and the short names of old are no IANA names.
            if (ZoneId.getAvailableZoneIds().contains(written)) {
                return Optional.of(ZoneId.of(written));
            }
        } catch (DateTimeException _) {
            // It is refused below.
        }
        place.refuse("must be the IANA name of a time zone, such as Europe/Zurich or Etc/UTC, got '" + written + "'");
        return Optional.empty();
    }

    private static Optional<CronSchedule> schedule(String written, Place place) {
        return switch (CronSchedule.of(written)) {
            case Parsed.Usable<CronSchedule>(CronSchedule schedule) -> {
                if (schedule.next(ANY_TIME, ZoneId.of(PolicyWindow.UTC)).isEmpty()) {
                    place.refuse("must name a day that comes, got '" + written + "': such a window never opens");
                }
                yield Optional.of(schedule);
            }
            case Parsed.Unusable<CronSchedule>(String why) -> {
                place.refuse(why);
                yield Optional.empty();
            }
        };
    }
}
