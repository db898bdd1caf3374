package dev.holdfast.policies.plan.controls;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * A recurring time window in which a policy may evict, or may not.
 *
 * @param name the name of the window, unique in its policy or pause
 * @param action whether evictions are allowed or denied while the window is open
 * @param schedule when the window opens
 * @param duration how long the window then stays open
 * @param zone the time zone of the schedule
 */
public record MaintenanceWindow(String name, Action action, CronSchedule schedule, Duration duration, ZoneId zone) {
    /** The effect of an open window on evictions. One open Deny window overrides all Allow windows. */
    public enum Action {
        DENY("Deny"),
        ALLOW("Allow");

        private final String label;

        Action(String label) {
            this.label = label;
        }

        /** {@return the action as users write it} */
        public String label() {
            return label;
        }
    }

    /**
     * {@return the hold while the windows of a policy allow no eviction; empty if they allow it at this instant} A
     * policy without Allow windows may evict whenever no Deny window is open.
     */
    static Optional<Hold> against(List<MaintenanceWindow> maintenanceWindows, Instant now) {
        List<MaintenanceWindow> denying = of(Action.DENY, maintenanceWindows);
        NextOpening nextOpening = NextOpening.after(now, denying, of(Action.ALLOW, maintenanceWindows));
        if (nextOpening.equals(new NextOpening.At(now))) {
            return Optional.empty();
        }
        Optional<MaintenanceWindow> denied = denying.stream()
                .filter(maintenanceWindow -> maintenanceWindow.openUntil(now).isPresent())
                .findFirst();
        return Optional.of(new Hold(Reason.WINDOW_CLOSED, message(denied, nextOpening, now), nextOpening.nextLook()));
    }

    private static String message(Optional<MaintenanceWindow> denied, NextOpening nextOpening, Instant now) {
        return switch (nextOpening) {
            case NextOpening.At(Instant end) ->
                denied.map(it -> it + " is open" + (it.lastsUntil(end, now) ? "" : ", and no eviction may be made"))
                                .orElse("no window that allows evictions is open")
                        + " until " + end;
            case NextOpening.NotBefore(Instant end) ->
                "the windows allow no eviction before " + end + "; later times are not computed yet";
            case NextOpening.Never _ ->
                denied.map(it -> it + " is open, and no").orElse("no") + " window that allows evictions ever opens";
        };
    }

    private boolean lastsUntil(Instant end, Instant now) {
        return openUntil(now).filter(end::equals).isPresent();
    }

    /**
     * {@return whether the windows after an edit may allow evictions at a time when the windows before the edit did
     * not}
     */
    static boolean openMore(List<MaintenanceWindow> after, List<MaintenanceWindow> before) {
        List<MaintenanceWindow> allowedAfter = of(Action.ALLOW, after);
        List<MaintenanceWindow> allowedBefore = of(Action.ALLOW, before);
        boolean allowsMore =
                !allowedBefore.isEmpty() && (allowedAfter.isEmpty() || !openAs(allowedBefore, allowedAfter));
        return allowsMore || !openAs(of(Action.DENY, after), of(Action.DENY, before));
    }

    /** {@return whether each of the sought windows is among the windows or within one of them, whatever their names} */
    private static boolean openAs(List<MaintenanceWindow> windows, List<MaintenanceWindow> sought) {
        return sought.stream().allMatch(it -> windows.stream().anyMatch(it::isWithin));
    }

    private boolean isWithin(MaintenanceWindow other) {
        return action == other.action
                && schedule.equals(other.schedule)
                && duration.compareTo(other.duration) <= 0
                && zone.equals(other.zone);
    }

    private static List<MaintenanceWindow> of(Action action, List<MaintenanceWindow> maintenanceWindows) {
        return maintenanceWindows.stream()
                .filter(maintenanceWindow -> maintenanceWindow.action() == action)
                .toList();
    }

    /** {@return when the window closes; empty if it is not open} */
    Optional<Instant> openUntil(Instant now) {
        return schedule.lastBetween(now.minus(duration), now, zone).map(start -> start.plus(duration));
    }

    /** {@return when the window opens next; empty if it never does} */
    Optional<Instant> opensAfter(Instant now) {
        return schedule.next(now, zone);
    }

    @Override
    public String toString() {
        return "window '" + name + "' (" + action.label() + " '" + schedule + "' for " + duration.toSeconds() + " s in "
                + zone + ")";
    }
}
