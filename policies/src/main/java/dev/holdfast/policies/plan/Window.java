package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A time that comes again and again in which a policy may evict, or may not.
 *
 * @param duration how long it is open each time, in seconds that really pass
 * @param zone whose clocks the schedule goes by
 */
public record Window(Action action, CronSchedule schedule, Duration duration, ZoneId zone) {
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
    static Optional<Hold> against(List<Window> windows, Instant now) {
        Optional<Hold> denied = of(Action.DENY, windows).stream()
                .flatMap(window -> window
                        .openUntil(now)
                        .map(until -> Hold.until(Reason.WINDOW_CLOSED, window + " is open until " + until, until))
                        .stream())
                .max(Comparator.comparing(hold -> hold.nextLook().orElseThrow()));
        return denied.or(() -> notAllowed(windows, now));
    }

    private static Optional<Hold> notAllowed(List<Window> windows, Instant now) {
        List<Window> allowing = of(Action.ALLOW, windows);
        if (allowing.isEmpty()
                || allowing.stream().anyMatch(window -> window.openUntil(now).isPresent())) {
            return Optional.empty();
        }
        Optional<Instant> next = allowing.stream()
                .flatMap(window -> window.opensAfter(now).stream())
                .min(Comparator.naturalOrder());
        return Optional.of(new Hold(
                Reason.WINDOW_CLOSED,
                "no window that allows evictions is open; the next opens "
                        + next.map(Instant::toString).orElse("never"),
                next));
    }

    /** {@return whether evictions may be made at a time at which they might not be made before an edit} */
    static boolean openMore(List<Window> after, List<Window> before) {
        List<Window> allowedAfter = of(Action.ALLOW, after);
        List<Window> allowedBefore = of(Action.ALLOW, before);
        boolean allowsMore =
                !allowedBefore.isEmpty() && (allowedAfter.isEmpty() || !allowedBefore.containsAll(allowedAfter));
        return allowsMore || !of(Action.DENY, after).containsAll(of(Action.DENY, before));
    }

    private static List<Window> of(Action action, List<Window> windows) {
        return windows.stream().filter(window -> window.action() == action).toList();
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
