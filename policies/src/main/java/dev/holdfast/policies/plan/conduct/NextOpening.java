package dev.holdfast.policies.plan.conduct;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The next time when a set of windows allows evictions, computed for a limited number of windows. */
sealed interface NextOpening {
    /**
     * The most window changes to follow. They cover more than an hour, because windows open at whole minutes and each
     * Deny window may be followed by an Allow window.
     */
    int MOST_WINDOWS = 200;

    Duration FARTHEST = Duration.ofDays(400);

    /** Evictions are allowed from that instant on, and not before. */
    record At(Instant instant) implements NextOpening {}

    /** No eviction is allowed before that instant, a whole hour. Later times were not computed. */
    record NotBefore(Instant instant) implements NextOpening {}

    /** No window ever allows an eviction. */
    record Never() implements NextOpening {}

    /**
     * {@return when evictions are allowed, from an instant on}
     *
     * @param denying while one of them is open, no eviction is allowed
     * @param allowing while none of them is open, no eviction is allowed; empty if no Allow window is needed
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

    /** {@return the latest end of the open windows; empty if none is open} */
    static Optional<Instant> lastEnd(List<MaintenanceWindow> maintenanceWindows, Instant at) {
        return maintenanceWindows.stream()
                .flatMap(maintenanceWindow -> maintenanceWindow.openUntil(at).stream())
                .max(Comparator.naturalOrder());
    }

    /** {@return when the first of these windows opens; empty if none ever does} */
    static Optional<Instant> firstBeginning(List<MaintenanceWindow> maintenanceWindows, Instant at) {
        return maintenanceWindows.stream()
                .flatMap(maintenanceWindow -> maintenanceWindow.opensAfter(at).stream())
                .min(Comparator.naturalOrder());
    }

    /** {@return when to compute this again; empty if it never changes} */
    default Optional<Instant> nextLook() {
        return switch (this) {
            case At(Instant instant) -> Optional.of(instant);
            case NotBefore(Instant instant) -> Optional.of(instant);
            case Never _ -> Optional.empty();
        };
    }
}
