package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ReplacementTimes;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The operator's engine, loaded with a generated cluster. It is the leader, knows all objects, and all initial
 * violations are due. Each event advances the engine's clock by a millisecond, and triggers timers that are
 * due. So the cost of an event includes its share of plans and reports, as in an operator with 1,000 events a second.
 * All policies are in mode Audit.
 */
final class WholeEngine implements Consumer<ClusterEvent> {
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    /**
     * How far {@link #lead} advances the clock, so that all initial violations are due: longer than their forgiveness.
     */
    private static final Duration SETTLING = Duration.ofMinutes(6);

    private static final Set<String> SYSTEM = Set.of("kube-system");

    private final Engine engine = newEngine();
    private final Map<PolicyId, PolicyReport> published = new HashMap<>();
    private Instant now = Instant.EPOCH.plus(Duration.ofDays(1));
    private Instant wake = Instant.MAX;

    WholeEngine(World world) {
        world.policies().forEach(policy -> step(new Event.PolicyChanged(policy)));
        world.tell(this);
        lead();
    }

    /** {@return an engine with the operator's defaults that knows nothing yet} */
    static Engine newEngine() {
        return new Engine(new EngineSettings(
                OperatorLimits.defaults(),
                ProtectedPods.in(SYSTEM),
                SYSTEM,
                ReplacementTimes.defaults(),
                BreakerSettings.defaults("holdfast")));
    }

    /** Marks the lists of all kinds as complete, makes the engine the leader, and lets all violations become due. */
    private void lead() {
        for (View view : View.values()) {
            step(new Event.ViewSynced(view));
        }
        step(new Event.LeadershipGained());
        now = now.plus(SETTLING);
        step(new Event.TimePassed());
    }

    /** Advances the clock, lets the engine handle a timer that is due, and then delivers the change of an object. */
    @Override
    public void accept(ClusterEvent fact) {
        now = now.plus(MILLISECOND);
        if (!now.isBefore(wake)) {
            step(new Event.TimePassed());
        }
        step(new Event.ObjectChanged(fact));
    }

    private void step(Event event) {
        wake = Instant.MAX;
        List<Effect> effects = engine.step(event, now);
        for (Effect effect : effects) {
            if (effect instanceof Effect.WakeAt(Instant at)) {
                wake = at;
            } else if (effect instanceof Effect.Publish(PolicyReport report)) {
                published.put(report.policy(), report);
            }
        }
    }

    /** {@return the number of violations in each state, as the engine last published it} */
    Map<ViolationState, Integer> violations() {
        Map<ViolationState, Integer> violations = new EnumMap<>(ViolationState.class);
        for (PolicyReport report : published.values()) {
            report.violations().forEach((of, count) -> violations.merge(of.state(), count, Integer::sum));
        }
        return violations;
    }
}
