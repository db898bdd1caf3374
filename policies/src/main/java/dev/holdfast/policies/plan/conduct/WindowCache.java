package dev.holdfast.policies.plan.conduct;

import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/** What windows say at one instant, worked out once for each policy: a plan asks for thousands of candidates. */
public final class WindowCache {
    private final Instant now;
    private final IdentityHashMap<List<MaintenanceWindow>, Optional<Hold>> known = new IdentityHashMap<>();

    /** What windows say at an instant. */
    public WindowCache(Instant now) {
        this.now = now;
    }

    /** {@return what these windows, one policy's, have against an eviction now} */
    public Optional<Hold> against(List<MaintenanceWindow> maintenanceWindows) {
        return known.computeIfAbsent(maintenanceWindows, it -> MaintenanceWindow.against(it, now));
    }
}
