package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ViewStatus;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The state of the engine's loop.
 *
 * @param stepRunning how long the engine has worked on the current event; zero between events. A long time means that
 *     the loop hangs
 * @param queued the number of events in the queue
 * @param views the sync status of each view (the objects of one or more kinds), as the engine last reported it. Views
 *     that were never synced are included
 */
public record LoopState(Duration stepRunning, int queued, Map<View, ViewStatus> views) {
    public LoopState {
        views = Map.copyOf(views);
    }

    /** {@return whether all views are synced} */
    public boolean allSynced() {
        return views.values().stream().allMatch(ViewStatus::isSynced);
    }

    /** {@return whether this view is synced: complete, and not lost} */
    public boolean isSynced(View view) {
        return Optional.ofNullable(views.get(view)).filter(ViewStatus::isSynced).isPresent();
    }

    /**
     * {@return which view is not synced, and why, as in {@code view pods: not synced yet}; the first if there are
     * several, empty if all are synced}
     */
    public Optional<String> missing() {
        return views.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(entry -> entry.getValue().missing().stream()
                        .map(why -> "view " + entry.getKey().name().toLowerCase(Locale.ROOT) + ": " + why))
                .findFirst();
    }
}
