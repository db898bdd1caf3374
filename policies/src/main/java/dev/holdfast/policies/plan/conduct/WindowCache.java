package dev.holdfast.policies.plan.conduct;

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
    private final Instant now;
    private final IdentityHashMap<List<MaintenanceWindow>, Optional<Hold>> known = new IdentityHashMap<>();

    /** Creates an empty cache for one instant. */
    public WindowCache(Instant now) {
        this.now = now;
    }

    /**
     * {@return the hold that these windows of one policy give; empty if they allow evictions at the instant of this
     * cache}
     */
    public Optional<Hold> against(List<MaintenanceWindow> maintenanceWindows) {
        return known.computeIfAbsent(maintenanceWindows, it -> MaintenanceWindow.against(it, now));
    }
}
