package dev.holdfast.policies.engine;

import java.time.Instant;
import java.util.List;

/** The engine: one thread hands it every event in order and carries out what comes back. */
public final class Engine {
    private final EngineSettings settings;

    public Engine(EngineSettings settings) {
        this.settings = settings;
    }

    /**
     * Takes one event.
     *
     * @param now by a clock that never goes back within a run
     * @return what is to be done, in this order
     */
    public List<Effect> step(Event event, Instant now) {
        return List.of(new Effect.WakeAt(now.plus(settings.replacementTimeout())));
    }
}
