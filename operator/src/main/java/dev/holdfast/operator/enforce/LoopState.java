package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.View;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How the loop stands.
 *
 * @param stepRunning how long the step at work has been running; zero between steps. Liveness: this stays small
 * @param queued events that wait for their step
 * @param views how each view stands; a view that was never synced is there too
 */
public record LoopState(Duration stepRunning, int queued, Map<View, ViewState> views) {
    public LoopState {
        views = Map.copyOf(views);
    }

    /** {@return whether every view has been delivered in full and none is lost} */
    public boolean allSynced() {
        return views.values().stream().allMatch(ViewState::synced);
    }

    /** {@return the first view that is not synced, and why: {@code view pods: not synced yet}; empty when all are} */
    public Optional<String> missing() {
        return views.entrySet().stream()
                .filter(entry -> !entry.getValue().synced())
                .min(Map.Entry.comparingByKey())
                .map(entry -> "view " + entry.getKey().name().toLowerCase(Locale.ROOT) + ": "
                        + entry.getValue().why());
    }

    /**
     * How one view stands.
     *
     * @param synced whether all its objects are delivered and its changes follow
     * @param quiet how long ago anything was heard of it, or since the start when nothing was
     * @param why why it is not synced; empty when it is
     */
    public record ViewState(boolean synced, Duration quiet, String why) {}
}
