package dev.holdfast.policies.plan.conduct;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * A time that comes again and again in which a policy may evict, or may not.
 *
 * @param duration how long it is open each time, in seconds that really pass
 * @param zone whose clocks the schedule goes by
 */
public record MaintenanceWindow(Action action, CronSchedule schedule, Duration duration, ZoneId zone) {
    /** What an open window does. A denial counts more than any number of permissions. */
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
     * {@return what keeps a policy with these windows from evicting at an instant; empty when nothing does} Without any
     * window to allow it, it may whenever none denies it.
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
                "closed for as long as can be seen: no eviction may be made before " + end;
            case NextOpening.Never _ ->
                denied.map(it -> it + " is open, and no").orElse("no") + " window that allows evictions ever opens";
        };
    }

    private boolean lastsUntil(Instant end, Instant now) {
        return openUntil(now).filter(end::equals).isPresent();
    }

    /** {@return whether evictions may be made at a time at which they might not be made before an edit} */
    static boolean openMore(List<MaintenanceWindow> after, List<MaintenanceWindow> before) {
        List<MaintenanceWindow> allowedAfter = of(Action.ALLOW, after);
        List<MaintenanceWindow> allowedBefore = of(Action.ALLOW, before);
        boolean allowsMore =
                !allowedBefore.isEmpty() && (allowedAfter.isEmpty() || !allowedBefore.containsAll(allowedAfter));
        return allowsMore || !of(Action.DENY, after).containsAll(of(Action.DENY, before));
    }

    private static List<MaintenanceWindow> of(Action action, List<MaintenanceWindow> maintenanceWindows) {
        return maintenanceWindows.stream()
                .filter(maintenanceWindow -> maintenanceWindow.action() == action)
                .toList();
    }

    /** {@return until when it is open, as far as it has begun; empty when it is not} */
    Optional<Instant> openUntil(Instant now) {
        return schedule.lastBetween(now.minus(duration), now, zone).map(start -> start.plus(duration));
    }

    /** {@return when it opens next; empty when it never does} */
    Optional<Instant> opensAfter(Instant now) {
        return schedule.next(now, zone);
    }

    @Override
    public String toString() {
        return "window " + action.label() + " '" + schedule + "' for " + duration.toSeconds() + " s in " + zone;
    }
}
