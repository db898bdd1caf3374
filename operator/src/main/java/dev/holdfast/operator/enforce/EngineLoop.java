package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.Effect;
import dev.holdfast.policies.engine.Event;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/** The one thread of the engine: takes events in order, steps the engine, carries out its effects, keeps its timer. */
public final class EngineLoop implements AutoCloseable {
    /**
     * A loop that is not started yet; it takes events already.
     *
     * @param step {@code engine::step}
     * @param clock never goes back
     * @param onBug called once, with the event, when a step throws: nothing is done after that, and the process should
     *     end with an error
     */
    public EngineLoop(
            BiFunction<Event, Instant, List<Effect>> step,
            InstantSource clock,
            Hands hands,
            BiConsumer<Event, Throwable> onBug) {}

    /** Takes one event; never blocks, and may be called from any thread. */
    public void offer(Event event) {}

    /** Starts the thread. */
    public void start() {}

    /** {@return how the loop stands now; may be asked from any thread} */
    public LoopState state() {
        return new LoopState(Duration.ZERO, 0, Map.of());
    }

    /** Stops the thread, starts nothing more, and waits a few seconds for requests that are under way. */
    @Override
    public void close() {}
}
