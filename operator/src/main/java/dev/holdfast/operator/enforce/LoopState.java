package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.View;
import java.time.Duration;
import java.util.Map;

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

    /**
     * How one view stands.
     *
     * @param synced whether all its objects are delivered and its changes follow
     * @param quiet how long ago anything was heard of it, or since the start when nothing was
     * @param why why it is not synced; empty when it is
     */
    public record ViewState(boolean synced, Duration quiet, String why) {}
}
