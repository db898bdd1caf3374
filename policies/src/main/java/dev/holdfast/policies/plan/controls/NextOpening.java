package dev.holdfast.policies.plan.controls;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The next time at which the windows of a policy allow evictions. The search for this time ends after a limited number
 * of windows.
 */
sealed interface NextOpening {
    /**
     * The maximum number of steps of one search; each step goes to the next time at which a window opens or closes. A
     * search covers more than an hour, because a minute takes two steps at most: a Deny window closes, and an Allow
     * window opens.
     */
    int MOST_WINDOWS = 200;

    /** The farthest time from the present that a search reaches. */
    Duration FARTHEST = Duration.ofDays(400);

    /** Evictions are allowed from this instant on, and not before. */
    record At(Instant instant) implements NextOpening {}

    /**
     * No eviction is allowed before this instant, which is rounded down to a whole hour. Later times were not searched.
     */
    record NotBefore(Instant instant) implements NextOpening {}

    /** The windows never allow an eviction. */
    record Never() implements NextOpening {}

    /**
     * {@return the first time, at or after {@code now}, at which evictions are allowed}
     *
     * @param denying while one of them is open, no eviction is allowed
     * @param allowing evictions are allowed only while one of them is open; an empty list allows them at any time
     */
    static NextOpening after(Instant now, List<MaintenanceWindow> denying, List<MaintenanceWindow> allowing) {
        Instant at = now;
        for (int windows = 0; ; windows++) {
            Optional<Instant> denied = lastEnd(denying, at);
            if (denied.isEmpty() && (allowing.isEmpty() || lastEnd(allowing, at).isPresent())) {
                return new At(at);
            }
            if (windows == MOST_WINDOWS || at.isAfter(now.plus(FARTHEST))) {
                // In whole hours, so that the message of a hold seldom changes.
                return new NotBefore(at.truncatedTo(ChronoUnit.HOURS));
            }
            Optional<Instant> next = denied.isPresent() ? denied : firstBeginning(allowing, at);
            if (next.isEmpty()) {
                return new Never();
            }
            at = next.get();
        }
    }

    /** {@return of the windows that are open at the given instant, when the last one closes; empty if none is open} */
    static Optional<Instant> lastEnd(List<MaintenanceWindow> maintenanceWindows, Instant at) {
        return maintenanceWindows.stream()
                .flatMap(maintenanceWindow -> maintenanceWindow.openUntil(at).stream())
                .max(Comparator.naturalOrder());
    }

    /** {@return when the first of these windows opens after an instant; empty if none ever does} */
    static Optional<Instant> firstBeginning(List<MaintenanceWindow> maintenanceWindows, Instant at) {
        return maintenanceWindows.stream()
                .flatMap(maintenanceWindow -> maintenanceWindow.opensAfter(at).stream())
                .min(Comparator.naturalOrder());
    }

    /** {@return when to search again; empty if the result never changes} */
    default Optional<Instant> nextLook() {
        return switch (this) {
            case At(Instant instant) -> Optional.of(instant);
            case NotBefore(Instant instant) -> Optional.of(instant);
            case Never _ -> Optional.empty();
        };
    }
}
