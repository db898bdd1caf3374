package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.EngineActivity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Takes a snapshot of the engine's activity after its steps, for other threads. After a change of a cluster object,
 * of which there are many, the snapshot is renewed only if it is a second old.
 */
public final class ObservedEngine implements BiFunction<Event, Instant, List<Effect>> {
    private static final Duration OLD = Duration.ofSeconds(1);

    private final BiFunction<Event, Instant, List<Effect>> step;
    private final Function<Instant, EngineActivity> activity;
    private Instant taken = Instant.MIN;
    private volatile EngineActivity snapshot = EngineActivity.NONE;

    /**
     * Creates the observation of an engine.
     *
     * @param step {@code engine::step}
     * @param activity {@code engine::activity}; called on the thread of the steps
     */
    public ObservedEngine(BiFunction<Event, Instant, List<Effect>> step, Function<Instant, EngineActivity> activity) {
        this.step = step;
        this.activity = activity;
    }

    @Override
    public List<Effect> apply(Event event, Instant now) {
        List<Effect> effects = step.apply(event, now);
        if (!(event instanceof Event.FactChanged) || taken.isBefore(now.minus(OLD))) {
            taken = now;
            snapshot = activity.apply(now);
        }
        return effects;
    }

    /** {@return the latest snapshot; may be called from any thread} */
    public EngineActivity activity() {
        return snapshot;
    }
}
