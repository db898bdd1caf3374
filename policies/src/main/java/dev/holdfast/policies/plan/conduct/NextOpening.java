package dev.holdfast.policies.plan.conduct;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** When windows that are in the way now will not be any more, all of them taken together, as far as can be seen. */
sealed interface NextOpening {
    /** So many reach further than an hour, since windows open at whole minutes and an allowing one may follow each. */
    int MOST_WINDOWS = 200;

    Duration FARTHEST = Duration.ofDays(400);

    /** Evictions may be made from that instant on, and not before. */
    record At(Instant instant) implements NextOpening {}

    /** No window lets evictions be made before that instant, a whole hour. What comes then was not looked for. */
    record NotBefore(Instant instant) implements NextOpening {}

    /** No window ever lets evictions be made. */
    record Never() implements NextOpening {}

    /**
     * {@return when evictions may be made, from an instant on}
     *
     * @param denying while one of them is open, none may
     * @param allowing while none of them is open, none may; empty where nothing needs to allow any
     */
    static NextOpening after(Instant now, List<MaintenanceWindow> denying, List<MaintenanceWindow> allowing) {
        Instant at = now;
        for (int windows = 0; ; windows++) {
            Optional<Instant> denied = lastEnd(denying, at);
            if (denied.isEmpty() && (allowing.isEmpty() || lastEnd(allowing, at).isPresent())) {
                return new At(at);
            }
            if (windows == MOST_WINDOWS || at.isAfter(now.plus(FARTHEST))) {
                // In whole hours, so that what is told of it seldom changes while time passes.
                return new NotBefore(at.truncatedTo(ChronoUnit.HOURS));
            }
            Optional<Instant> next = denied.isPresent() ? denied : firstBeginning(allowing, at);
            if (next.isEmpty()) {
                return new Never();
            }
            at = next.get();
        }
    }

    /** {@return of the windows that are open the latest end; empty if none is} */
    static Optional<Instant> lastEnd(List<MaintenanceWindow> maintenanceWindows, Instant at) {
        return maintenanceWindows.stream()
                .flatMap(maintenanceWindow -> maintenanceWindow.openUntil(at).stream())
                .max(Comparator.naturalOrder());
    }

    /** {@return when the first of them opens} */
    static Optional<Instant> firstBeginning(List<MaintenanceWindow> maintenanceWindows, Instant at) {
        return maintenanceWindows.stream()
                .flatMap(maintenanceWindow -> maintenanceWindow.opensAfter(at).stream())
                .min(Comparator.naturalOrder());
    }

    /** {@return when this is to be looked at again; empty where it never changes} */
    default Optional<Instant> nextLook() {
        return switch (this) {
            case At(Instant instant) -> Optional.of(instant);
            case NotBefore(Instant instant) -> Optional.of(instant);
            case Never _ -> Optional.empty();
        };
    }
}
