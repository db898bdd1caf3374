package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.engine.View;
import dev.holdfast.policies.model.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Notes of each view whether it is synced and when it was last heard of; for probes and metrics, not for decisions. */
final class ViewWatch {
    private final InstantSource clock;
    private final Map<View, Instant> heard = new EnumMap<>(View.class);
    private final Map<View, String> unsynced = new EnumMap<>(View.class);

    ViewWatch(InstantSource clock) {
        this.clock = clock;
        for (View view : View.values()) {
            heard.put(view, clock.instant());
            unsynced.put(view, "not synced yet");
        }
    }

    synchronized void heard(Event event) {
        viewOf(event).ifPresent(view -> heard.put(view, clock.instant()));
        switch (event) {
            case Event.ViewSynced(View view) -> unsynced.remove(view);
            case Event.ViewLost(View view, String why, var _) -> unsynced.put(view, why);
            case Event.FactChanged _,
                    Event.PolicyChanged _,
                    Event.PolicyAcknowledged _,
                    Event.PolicyRemoved _,
                    Event.PauseChanged _,
                    Event.PauseRemoved _,
                    Event.LeadershipGained _,
                    Event.LeadershipLost _,
                    Event.ModeCapped _,
                    Event.TimePassed _,
                    Event.TimeToCompare _,
                    Event.Confirmed _,
                    Event.ConfirmFailed _,
                    Event.ClaimRead _,
                    Event.Rehearsed _,
                    Event.Answered _ -> {
                // Says nothing of a view as a whole.
            }
        }
    }

    synchronized Map<View, LoopState.ViewState> states() {
        Instant now = clock.instant();
        Map<View, LoopState.ViewState> states = new EnumMap<>(View.class);
        heard.forEach((view, at) -> states.put(
                view,
                new LoopState.ViewState(
                        !unsynced.containsKey(view), Duration.between(at, now), unsynced.getOrDefault(view, ""))));
        return states;
    }

    private static Optional<View> viewOf(Event event) {
        return switch (event) {
            case Event.FactChanged(ClusterEvent fact) -> Optional.of(viewOf(fact));
            case Event.PolicyChanged _, Event.PolicyAcknowledged _, Event.PolicyRemoved _ -> Optional.of(View.POLICIES);
            case Event.PauseChanged _, Event.PauseRemoved _ -> Optional.of(View.PAUSES);
            case Event.ViewSynced(View view) -> Optional.of(view);
            case Event.ViewLost _,
                    Event.LeadershipGained _,
                    Event.LeadershipLost _,
                    Event.ModeCapped _,
                    Event.TimePassed _,
                    Event.TimeToCompare _,
                    Event.Confirmed _,
                    Event.ConfirmFailed _,
                    Event.ClaimRead _,
                    Event.Rehearsed _,
                    Event.Answered _ -> Optional.empty();
        };
    }

    private static View viewOf(ClusterEvent fact) {
        return switch (fact) {
            case ClusterEvent.PodChanged _, ClusterEvent.PodGone _ -> View.PODS;
            case ClusterEvent.NodeChanged _, ClusterEvent.NodeGone _ -> View.NODES;
            case ClusterEvent.NamespaceChanged _, ClusterEvent.NamespaceGone _ -> View.NAMESPACES;
            case ClusterEvent.OwnerChanged _, ClusterEvent.OwnerGone _ -> View.OWNERS;
            case ClusterEvent.BudgetChanged _, ClusterEvent.BudgetGone _ -> View.BUDGETS;
        };
    }
}
