package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.engine.View;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;

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
        if (event instanceof Event.FromView news) {
            heard.put(news.view(), clock.instant());
        }
        if (event instanceof Event.ViewSynced(View view)) {
            unsynced.remove(view);
        } else if (event instanceof Event.ViewLost(View view, String why, var _)) {
            unsynced.put(view, why);
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
}
