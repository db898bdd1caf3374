package dev.holdfast.policies.plan.controls;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Caches for each policy whether its maintenance windows hold evictions at one instant, the time of a plan. The plan
 * asks this for thousands of candidates.
 */
public final class WindowCache {
    private final WallClock wallClock;
    private final Instant now;
    private final IdentityHashMap<List<MaintenanceWindow>, Optional<Hold>> known = new IdentityHashMap<>();

    /** Creates an empty cache for one instant of the engine's clock. */
    public WindowCache(WallClock wallClock, Instant now) {
        this.wallClock = wallClock;
        this.now = now;
    }

    /**
     * {@return the hold that these windows of one policy give; empty if they allow evictions at the instant of this
     * cache} While the wall clock is not trusted, all windows count as closed.
     */
    public Optional<Hold> against(List<MaintenanceWindow> maintenanceWindows) {
        return known.computeIfAbsent(maintenanceWindows, this::find);
    }

    private Optional<Hold> find(List<MaintenanceWindow> maintenanceWindows) {
        if (maintenanceWindows.isEmpty()) {
            return Optional.empty();
        }
        return wallClock
                .problem()
                .map(why -> Hold.untilChange(Reason.WINDOW_CLOSED, "the policy's windows count as closed: " + why))
                .or(() -> MaintenanceWindow.against(maintenanceWindows, wallClock.wallTime(now))
                        .map(wallClock::inEngineTime));
    }
}
