package dev.holdfast.operator.loop;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ViewStatus;
import dev.holdfast.policies.engine.report.EngineActivity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Takes snapshots of the engine's activity and of the statuses of its views after its steps, for other threads. After a
 * change of a cluster object, of which there are many, the activity is renewed only if it is a second old.
 */
public final class ObservedEngine implements BiFunction<Event, Instant, List<Effect>> {
    private static final Duration OLD = Duration.ofSeconds(1);

    private final BiFunction<Event, Instant, List<Effect>> step;
    private final Function<Instant, EngineActivity> activity;
    private final Supplier<Map<View, ViewStatus>> views;
    private Instant taken = Instant.MIN;
    private volatile EngineActivity snapshot = EngineActivity.NONE;
    private volatile ViewStatuses statuses;

    /**
     * Creates the observation of an engine.
     *
     * @param step {@code engine::step}
     * @param activity {@code engine::activity}; called on the thread of the steps
     * @param views {@code engine::views}; called here, then on the thread of the steps
     */
    public ObservedEngine(
            BiFunction<Event, Instant, List<Effect>> step,
            Function<Instant, EngineActivity> activity,
            Supplier<Map<View, ViewStatus>> views) {
        this.step = step;
        this.activity = activity;
        this.views = views;
        this.statuses = new ViewStatuses(views.get());
    }

    @Override
    public List<Effect> apply(Event event, Instant now) {
        List<Effect> effects = step.apply(event, now);
        if (event instanceof Event.ViewSynced || event instanceof Event.ViewLost) {
            statuses = new ViewStatuses(views.get());
        }
        if (!(event instanceof Event.ObjectChanged) || taken.isBefore(now.minus(OLD))) {
            taken = now;
            snapshot = activity.apply(now);
        }
        return effects;
    }

    /** {@return the latest snapshot of the activity; may be called from any thread} */
    public EngineActivity activity() {
        return snapshot;
    }

    /** {@return the statuses of the views after the last step that changed one; may be called from any thread} */
    public ViewStatuses views() {
        return statuses;
    }
}
