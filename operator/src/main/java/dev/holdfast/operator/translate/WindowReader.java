package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.PauseWindow;
import dev.holdfast.crds.v1alpha1.PolicyWindow;
import dev.holdfast.operator.config.MaxDuration;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.plan.controls.CronSchedule;
import dev.holdfast.policies.plan.controls.MaintenanceWindow;
import dev.holdfast.policies.selector.ParseResult;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the windows of policies and pauses. */
final class WindowReader {
    private static final int MIN_SECONDS = 60;

    /**
     * The instant from which a schedule is searched for its first match. A schedule that matches no time after this
     * instant matches never, for example one for February 30.
     */
    private static final Instant ANY_TIME = Instant.EPOCH;

    private WindowReader() {}

    /** Reads the windows of a policy; records their errors and returns the valid windows. */
    static List<MaintenanceWindow> ofPolicy(List<PolicyWindow> written, FieldPath fieldPath) {
        Names.check(written.stream().map(PolicyWindow::name).toList(), fieldPath);
        List<MaintenanceWindow> maintenanceWindows = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            PolicyWindow window = written.get(i);
            FieldPath at = fieldPath.item(i);
            at.unknownFields(window.unknownFields().keySet());
            read(window.name(), action(window, at), window.schedule(), window.durationSeconds(), window.timeZone(), at)
                    .ifPresent(maintenanceWindows::add);
        }
        return maintenanceWindows;
    }

    /**
     * Reads the windows of a pause as windows with action Deny; records their errors and returns the valid windows.
     */
    static List<MaintenanceWindow> ofPause(List<PauseWindow> written, FieldPath fieldPath) {
        Names.check(written.stream().map(PauseWindow::name).toList(), fieldPath);
        List<MaintenanceWindow> maintenanceWindows = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            PauseWindow window = written.get(i);
            FieldPath at = fieldPath.item(i);
            at.unknownFields(window.unknownFields().keySet());
            Optional<MaintenanceWindow.Action> deny = Optional.of(MaintenanceWindow.Action.DENY);
            read(window.name(), deny, window.schedule(), window.durationSeconds(), window.timeZone(), at)
                    .ifPresent(maintenanceWindows::add);
        }
        return maintenanceWindows;
    }

    private static Optional<MaintenanceWindow.Action> action(PolicyWindow window, FieldPath fieldPath) {
        return switch (window.action()) {
            case DENY -> Optional.of(MaintenanceWindow.Action.DENY);
            case ALLOW -> Optional.of(MaintenanceWindow.Action.ALLOW);
            case UNRECOGNIZED -> {
                fieldPath.field("action").unknown("must be Deny or Allow; this version of Holdfast knows no other");
                yield Optional.empty();
            }
        };
    }

    private static Optional<MaintenanceWindow> read(
            String name,
            Optional<MaintenanceWindow.Action> action,
            String schedule,
            int seconds,
            String timeZone,
            FieldPath fieldPath) {
        if (seconds < MIN_SECONDS || seconds > MaxDuration.SECONDS) {
            fieldPath
                    .field("durationSeconds")
                    .refuse("must be " + MIN_SECONDS + " to " + MaxDuration.SECONDS + " (a week), got " + seconds);
        }
        Optional<ZoneId> zone = zone(timeZone, fieldPath.field("timeZone"));
        Optional<CronSchedule> read = schedule(schedule, fieldPath.field("schedule"));
        return action.flatMap(does -> zone.flatMap(
                in -> read.map(when -> new MaintenanceWindow(name, does, when, Duration.ofSeconds(seconds), in))));
    }

    private static Optional<ZoneId> zone(String written, FieldPath fieldPath) {
        try {
            // ZoneId also accepts offsets such as +01:00, which are no IANA names.
            if (ZoneId.getAvailableZoneIds().contains(written)) {
                return Optional.of(ZoneId.of(written));
            }
        } catch (DateTimeException _) {
            // Refused below.
        }
        fieldPath.refuse("must be the IANA name of a time zone, such as Europe/Zurich or Etc/UTC, got '"
                + QuotedText.of(written) + "'");
        return Optional.empty();
    }

    private static Optional<CronSchedule> schedule(String written, FieldPath fieldPath) {
        return switch (CronSchedule.of(written)) {
            case ParseResult.Usable<CronSchedule>(CronSchedule schedule) -> {
                if (schedule.next(ANY_TIME, ZoneId.of(PolicyWindow.UTC)).isEmpty()) {
                    fieldPath.refuse(
                            "must match some date, got '" + QuotedText.of(written) + "': such a window never opens");
                }
                yield Optional.of(schedule);
            }
            case ParseResult.Unusable<CronSchedule>(String why) -> {
                fieldPath.refuse(why);
                yield Optional.empty();
            }
        };
    }
}
