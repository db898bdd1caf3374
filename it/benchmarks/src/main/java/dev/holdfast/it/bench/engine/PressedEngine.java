package dev.holdfast.it.bench.engine;

import com.sun.management.ThreadMXBean;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An engine that leads and enforces, with a clock of its own. Timers fire at the instant that the engine requested,
 * however long the steps really take.
 */
final class PressedEngine {
    private final Engine engine = WholeEngine.newEngine();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Map<PolicyId, PolicyReport> published = new HashMap<>();
    private final List<Long> nanos = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();

    /** When the engine's thread has handled all events so far, if each step takes its CPU time. */
    private Instant idle = Instant.EPOCH;

    private Instant now = Instant.EPOCH.plus(Duration.ofDays(1));
    private Instant wake = Instant.MAX;

    /**
     * A change of a cluster object.
     *
     * @param own the CPU time of its step in nanoseconds
     * @param handled how long it took until it was handled, in nanoseconds; with the wait for earlier events and plans
     */
    record Change(long own, long handled) {}

    /** Creates an engine that knows a generated cluster and its policies, and one more policy. */
    PressedEngine(World world, Policy more) {
        world.policies().forEach(this::put);
        put(more);
        world.tell(fact -> step(new Event.ObjectChanged(fact)));
        for (View view : View.values()) {
            step(new Event.ViewSynced(view));
        }
        step(new Event.LeadershipGained());
        step(new Event.ModeCapped(Mode.ENFORCE, "the bench"));
    }

    private void put(Policy policy) {
        step(new Event.PolicyChanged(policy));
    }

    Instant now() {
        return now;
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
        long before = threads.getCurrentThreadCpuTime();
        List<Effect> effects = engine.step(event, now);
        long taken = threads.getCurrentThreadCpuTime() - before;
        nanos.add(taken);
        idle = (idle.isBefore(now) ? now : idle).plusNanos(taken);
        if (event instanceof Event.ObjectChanged) {
            changes.add(new Change(taken, Duration.between(now, idle).toNanos()));
        }
        for (Effect effect : effects) {
            if (effect instanceof Effect.WakeAt(Instant at)) {
                wake = at;
            } else if (effect instanceof Effect.Publish(PolicyReport report)) {
                published.put(report.policy(), report);
            }
        }
    }

    /** Returns the CPU time of each step since the last call, in nanoseconds. */
    List<Long> takeNanos() {
        List<Long> taken = List.copyOf(nanos);
        nanos.clear();
        return taken;
    }

    /** Returns the changes of cluster objects since the last call. */
    List<Change> takeChanges() {
        List<Change> taken = List.copyOf(changes);
        changes.clear();
        return taken;
    }

    /** {@return the number of held violations of a policy, by reason, as the engine last published it} */
    Map<Reason, Integer> holds(PolicyId policy) {
        Map<Reason, Integer> holds = new EnumMap<>(Reason.class);
        Optional.ofNullable(published.get(policy)).ifPresent(report -> holds.putAll(report.holds()));
        return holds;
    }
}
