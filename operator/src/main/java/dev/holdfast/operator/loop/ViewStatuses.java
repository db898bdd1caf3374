package dev.holdfast.operator.loop;

import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ViewStatus;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The sync status of each view (the objects of one or more kinds), as the engine last reported it.
 *
 * @param statuses the statuses by view; views that were never synced are included
 */
public record ViewStatuses(Map<View, ViewStatus> statuses) {
    public ViewStatuses {
        statuses = Map.copyOf(statuses);
    }

    /** {@return whether all views are synced} */
    public boolean allSynced() {
        return statuses.values().stream().allMatch(ViewStatus::isSynced);
    }

    /** {@return whether this view is synced: complete, and not lost} */
    public boolean isSynced(View view) {
        return Optional.ofNullable(statuses.get(view))
                .filter(ViewStatus::isSynced)
                .isPresent();
    }

    /**
     * {@return which views are not synced, and why, as in {@code pods: not synced yet}; in the order of {@link View},
     * empty if all are synced}
     */
    public List<String> missing() {
        return statuses.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(entry -> entry.getValue().missing().stream()
                        .map(why -> entry.getKey().name().toLowerCase(Locale.ROOT) + ": " + why))
                .toList();
    }
}
