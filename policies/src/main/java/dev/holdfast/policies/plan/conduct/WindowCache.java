package dev.holdfast.policies.plan.conduct;

import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Caches, for one instant, the hold that each policy's maintenance windows give. A plan needs these holds for thousands
 * of candidates.
 */
public final class WindowCache {
    private final Instant now;
    private final IdentityHashMap<List<MaintenanceWindow>, Optional<Hold>> known = new IdentityHashMap<>();

    /** Creates an empty cache for one instant. */
    public WindowCache(Instant now) {
        this.now = now;
    }

    /** {@return the hold by these windows of one policy; empty if they allow evictions now} */
    public Optional<Hold> against(List<MaintenanceWindow> maintenanceWindows) {
        return known.computeIfAbsent(maintenanceWindows, it -> MaintenanceWindow.against(it, now));
    }
}
