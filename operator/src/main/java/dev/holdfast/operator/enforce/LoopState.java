package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ViewStatus;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How the loop stands.
 *
 * @param stepRunning how long the step at work has been running; zero between steps. Liveness: this stays small
 * @param queued events that wait for their step
 * @param views the status of each view as the engine last reported it; a view that was never synced is there too
 */
public record LoopState(Duration stepRunning, int queued, Map<View, ViewStatus> views) {
    public LoopState {
        views = Map.copyOf(views);
    }

    /** {@return whether every view has been delivered in full and none is lost} */
    public boolean allSynced() {
        return views.values().stream().allMatch(ViewStatus::isSynced);
    }

    /** {@return whether this view has been delivered in full and is not lost} */
    public boolean isSynced(View view) {
        return Optional.ofNullable(views.get(view)).filter(ViewStatus::isSynced).isPresent();
    }

    /** {@return the first view that is not synced, and why: {@code view pods: not synced yet}; empty when all are} */
    public Optional<String> missing() {
        return views.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(entry -> entry.getValue().missing().stream()
                        .map(why -> "view " + entry.getKey().name().toLowerCase(Locale.ROOT) + ": " + why))
                .findFirst();
    }
}
