package dev.holdfast.operator.loop;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.plan.controls.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step of the engine that reads the wall clock first. If the wall clock has moved relative to the engine's clock, or
 * is trusted or distrusted since the last step, the engine gets this before the event. Used by the loop's thread only.
 */
public final class WallClockStep implements BiFunction<Event, Instant, List<Effect>> {
    private static final Logger LOG = LoggerFactory.getLogger(WallClockStep.class);

    /** The smallest movement that the engine gets, because it makes a new plan after each one. */
    private static final Duration LEAST_MOVE = Duration.ofMillis(500);

    private final BiFunction<Event, Instant, List<Effect>> step;
    private final Supplier<WallClock> wallClock;
    private WallClock known = WallClock.notCompared();

    /**
     * Wraps the engine's step.
     *
     * @param step the engine's step, {@code engine::step}
     * @param wallClock reads the wall clock
     */
    public WallClockStep(BiFunction<Event, Instant, List<Effect>> step, Supplier<WallClock> wallClock) {
        this.step = step;
        this.wallClock = wallClock;
    }

    @Override
    public List<Effect> apply(Event event, Instant now) {
        WallClock read = wallClock.get();
        boolean moved = read.offset().minus(known.offset()).abs().compareTo(LEAST_MOVE) >= 0;
        if (!moved && read.problem().equals(known.problem())) {
            return step.apply(event, now);
        }
        if (!read.problem().equals(known.problem())) {
            read.problem()
                    .ifPresentOrElse(
                            problem -> LOG.atWarn()
                                    .addKeyValue("problem", problem)
                                    .log("Windows count as closed and pauses as active"),
                            () -> LOG.info("The clock of this machine is trusted"));
        }
        known = read;
        List<Effect> effects = new ArrayList<>(step.apply(new Event.WallClockRead(read), now));
        effects.addAll(step.apply(event, now));
        return effects;
    }
}
