package dev.holdfast.it.bench.engine;

import com.sun.management.ThreadMXBean;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ReplacementTimes;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The operator's engine with a clock of its own, loaded with a generated cluster. It is the leader and knows all
 * objects. Timers fire at the instant that the engine requested, however long the steps really take.
 */
final class ClockedEngine implements Consumer<ClusterEvent> {
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    /** After this time, all initial violations of audited policies are due. */
    private static final Duration SETTLING = Duration.ofMinutes(6);

    private static final Set<String> SYSTEM = Set.of("kube-system");

    private final Engine engine = new Engine(new EngineSettings(
            OperatorLimits.defaults(),
            ProtectedPods.in(SYSTEM),
            SYSTEM,
            ReplacementTimes.defaults(),
            BreakerSettings.defaults("holdfast")));
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Map<PolicyId, PolicyReport> published = new HashMap<>();
    private final List<Step> steps = new ArrayList<>();

    /** Whether the CPU time of steps is measured. */
    private final boolean timed;

    /** When the engine's thread has handled all events so far, if each step takes its CPU time. */
    private Instant idle = Instant.EPOCH;

    private Instant now = Instant.EPOCH.plus(Duration.ofDays(1));
    private Instant wake = Instant.MAX;

    /**
     * A step of the engine.
     *
     * @param ofObject whether an object has changed; otherwise a timer has fired, or a policy has changed
     * @param nanos the CPU time in nanoseconds
     * @param handled how long it took until it was handled, in nanoseconds; with the wait for earlier events and plans
     */
    record Step(boolean ofObject, long nanos, long handled) {}

    private ClockedEngine(World world, List<Policy> more, boolean timed) {
        this.timed = timed;
        world.policies().forEach(policy -> step(new Event.PolicyChanged(policy)));
        more.forEach(policy -> step(new Event.PolicyChanged(policy)));
        world.tell(fact -> step(new Event.ObjectChanged(fact)));
        for (View view : View.values()) {
            step(new Event.ViewSynced(view));
        }
        step(new Event.LeadershipGained());
        step(new Event.ModeCapped(Mode.ENFORCE, "the bench"));
    }

    /** {@return an engine whose policies are all in mode Audit, and whose initial violations are due} */
    static ClockedEngine auditing(World world) {
        ClockedEngine engine = new ClockedEngine(world, List.of(), false);
        engine.pass(SETTLING);
        return engine;
    }

    /** {@return an engine with one more policy, whose steps are timed} */
    static ClockedEngine enforcing(World world, Policy more) {
        return new ClockedEngine(world, List.of(more), true);
    }

    Instant now() {
        return now;
    }

    /**
     * Advances the clock by a millisecond, and then delivers the change of an object. So the cost of an event includes
     * its share of plans and reports, as in an operator with 1,000 events a second.
     */
    @Override
    public void accept(ClusterEvent fact) {
        pass(MILLISECOND);
        step(new Event.ObjectChanged(fact));
    }

    void pass(Duration time) {
        until(now.plus(time));
    }

    /** Lets time pass: fires all timers up to an instant. */
    void until(Instant instant) {
        while (wake.isBefore(instant)) {
            now = wake.isBefore(now) ? now : wake;
            step(new Event.TimePassed());
        }
        now = instant;
    }

    void step(Event event) {
        wake = Instant.MAX;
        long before = timed ? threads.getCurrentThreadCpuTime() : 0;
        List<Effect> effects = engine.step(event, now);
        if (timed) {
            long nanos = threads.getCurrentThreadCpuTime() - before;
            idle = (idle.isBefore(now) ? now : idle).plusNanos(nanos);
            boolean ofObject = event instanceof Event.ObjectChanged;
            steps.add(new Step(ofObject, nanos, Duration.between(now, idle).toNanos()));
        }
        for (Effect effect : effects) {
            if (effect instanceof Effect.WakeAt(Instant at)) {
                wake = at;
            } else if (effect instanceof Effect.Publish(PolicyReport report)) {
                published.put(report.policy(), report);
            }
        }
    }

    /** Returns the steps since the last call. */
    List<Step> takeSteps() {
        List<Step> taken = List.copyOf(steps);
        steps.clear();
        return taken;
    }

    /** {@return the reports that the engine published last, one for each policy} */
    Collection<PolicyReport> reports() {
        return Collections.unmodifiableCollection(published.values());
    }

    /** {@return the number of held violations, by reason, of the policy that {@link Pressure} makes} */
    Map<Reason, Integer> holds() {
        return Optional.ofNullable(published.get(Pressure.ID))
                .<Map<Reason, Integer>>map(PolicyReport::holds)
                .orElse(Map.of());
    }
}
