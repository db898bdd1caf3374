package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.measure.Summary;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;

/**
 * Measurement of the engine's thread while due pods wait for a node that would take them. The engine's clock runs as in
 * an operator with a given number of events a second; the steps take the CPU time that they take.
 */
final class PressureBench {
    static final List<Integer> SIZES = List.of(10, 100, 240, 260, 1_000, 10_000);
    static final List<Integer> RATES = List.of(20, 1_000);

    private static final int NODE_EVENTS = 17;
    private static final int ONE_IN = 10;

    /** How long the engine looks for nodes before the events begin. */
    private static final Duration SETTLING = Duration.ofMinutes(5);

    private static final int NANOS_PER_SECOND = 1_000_000_000;
    private static final double NANOS = 1e3;
    private static final int PERCENT = 100;

    private final World world;
    private final int seconds;
    private final Random random = new Random(1);
    private long version = 10;

    /** @param seconds how long events are played, by the engine's clock; as long again before that only warms up */
    PressureBench(World world, int seconds) {
        this.world = world;
        this.seconds = seconds;
    }

    /**
     * Measures the engine at this number of pods without a node and this number of pod events a second, and returns its
     * figures.
     */
    Figure[] run(int pods, int perSecond) {
        ClockedEngine engine = ClockedEngine.enforcing(world, Pressure.on(world, pods));
        engine.pass(Pressure.FORGIVENESS.plusSeconds(1));
        engine.pass(SETTLING);
        EventScripts scripts = new EventScripts(world);
        Script replaced = scripts.replaced();
        Script status = scripts.status();
        play(engine, perSecond, replaced, status);
        var _ = engine.takeSteps();
        play(engine, perSecond, replaced, status);
        List<ClockedEngine.Step> steps = engine.takeSteps();
        double total = steps.stream().mapToLong(ClockedEngine.Step::nanos).sum();
        Summary own = ofEvents(steps, ClockedEngine.Step::nanos);
        Summary handled = ofEvents(steps, ClockedEngine.Step::handled);
        String what =
                String.format(Locale.ROOT, "%,d due pods without a node, %,d pod events a second", pods, perSecond);
        double share = PERCENT * total / ((double) seconds * NANOS_PER_SECOND);
        String wait = Unit.MICROSECONDS.print(handled.p99()) + " with the wait for plans; of " + own.count();
        return new Figure[] {
            Figure.of("P18", what + ", share of a core", share, Unit.PERCENT)
                    .atMost(5)
                    .noting(engine.holds().toString()),
            Figure.of("P18", what + ", p99 of an event", own.p99(), Unit.MICROSECONDS)
                    .atMost(1_000)
                    .noting(wait)
        };
    }

    private static Summary ofEvents(List<ClockedEngine.Step> steps, ToLongFunction<ClockedEngine.Step> nanos) {
        return Summary.of(steps.stream()
                .filter(ClockedEngine.Step::ofObject)
                .map(step -> nanos.applyAsLong(step) / NANOS)
                .toList());
    }

    private void play(ClockedEngine engine, int perSecond, Script replaced, Script status) {
        int rate = perSecond + NODE_EVENTS;
        Instant start = engine.now();
        for (int i = 0; i < rate * seconds; i++) {
            engine.until(start.plusNanos((long) i * NANOS_PER_SECOND / rate));
            // 17 of the events of a second, at equal distances, are of nodes.
            boolean ofNode = i % rate * NODE_EVENTS / rate != (i % rate + 1) * NODE_EVENTS / rate;
            engine.step(new Event.ObjectChanged(
                    ofNode ? new ClusterEvent.NodeChanged(heartbeat()) : podEvent(replaced, status)));
        }
    }

    private ClusterEvent podEvent(Script replaced, Script status) {
        return switch (random.nextInt(ONE_IN)) {
            case 0 -> replaced.next();
            case 1 -> status.next();
            default -> {
                Pod pod = world.pod(random.nextInt(world.plan().pods()));
                yield new ClusterEvent.PodChanged(EventScripts.with(pod, ++version, pod.life()));
            }
        };
    }

    private Node heartbeat() {
        return world.nodes().node(random.nextInt(world.plan().nodes()), ++version, Map.of());
    }
}
