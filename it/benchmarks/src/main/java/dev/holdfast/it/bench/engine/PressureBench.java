package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
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
    private static final Duration DUE = Pressure.FORGIVENESS.plusSeconds(1);

    /** How long the engine looks for nodes before the events begin. */
    private static final Duration SETTLING = Duration.ofMinutes(5);

    private static final int NANOS_PER_SECOND = 1_000_000_000;
    private static final int P99 = 99;
    private static final int HUNDRED = 100;

    private final World world;
    private final int seconds;
    private final Random random;
    private long version = 10;

    /** @param seconds how long events are played, by the engine's clock; as long again before that only warms up */
    PressureBench(World world, int seconds) {
        this.world = world;
        this.seconds = seconds;
        this.random = new Random(world.plan().seed());
    }

    /** Measures the engine at this number of pods without a node and this number of pod events a second. */
    Run run(int pods, int perSecond) {
        PressedEngine engine = new PressedEngine(world, Pressure.on(world, pods));
        engine.until(engine.now().plus(DUE));
        engine.until(engine.now().plus(SETTLING));
        EventScripts scripts = new EventScripts(world);
        Script replaced = scripts.replaced();
        Script status = scripts.status();
        play(engine, perSecond, replaced, status);
        engine.takeNanos();
        engine.takeChanges();
        play(engine, perSecond, replaced, status);
        List<PressedEngine.Change> changes = engine.takeChanges();
        Map<Reason, Integer> holds = engine.holds(Pressure.ID);
        double total = engine.takeNanos().stream().mapToLong(Long::longValue).sum();
        return new Run(
                pods,
                perSecond,
                changes.size(),
                HUNDRED * total / ((double) seconds * NANOS_PER_SECOND),
                p99(changes, PressedEngine.Change::own) / 1e3,
                p99(changes, PressedEngine.Change::handled) / 1e3,
                holds.toString());
    }

    private static double p99(List<PressedEngine.Change> changes, ToLongFunction<PressedEngine.Change> nanos) {
        long[] sorted = changes.stream().mapToLong(nanos).sorted().toArray();
        return sorted[(sorted.length - 1) * P99 / HUNDRED];
    }

    private void play(PressedEngine engine, int perSecond, Script replaced, Script status) {
        int rate = perSecond + NODE_EVENTS;
        Instant start = engine.now();
        for (int i = 0; i < rate * seconds; i++) {
            engine.until(start.plusNanos((long) i * NANOS_PER_SECOND / rate));
            boolean ofNode = (long) i * NANOS_PER_SECOND / rate % NANOS_PER_SECOND * NODE_EVENTS / NANOS_PER_SECOND
                    != (long) (i + 1) * NANOS_PER_SECOND / rate % NANOS_PER_SECOND * NODE_EVENTS / NANOS_PER_SECOND;
            if (ofNode) {
                engine.step(new Event.ObjectChanged(new ClusterEvent.NodeChanged(heartbeat())));
            } else {
                podEvent(replaced, status).forEach(fact -> engine.step(new Event.ObjectChanged(fact)));
            }
        }
    }

    private List<ClusterEvent> podEvent(Script replaced, Script status) {
        int draw = random.nextInt(ONE_IN);
        return switch (draw) {
            case 0 -> replaced.next();
            case 1 -> status.next();
            default -> List.of(new ClusterEvent.PodChanged(written()));
        };
    }

    private Node heartbeat() {
        Node node = world.worldNodes().node(random.nextInt(world.worldNodes().count()));
        return new Node(
                node.name(),
                node.uid(),
                ++version,
                node.labels(),
                node.taints(),
                node.unschedulable(),
                node.life(),
                node.allocatable());
    }

    /** {@return the initial version of a pod that no other event changes, written again} */
    private Pod written() {
        Pod pod = world.pod(random.nextInt(world.plan().pods()));
        return new Pod(
                pod.uid(),
                pod.name(),
                ++version,
                pod.labels(),
                pod.nodeName(),
                pod.scheduling(),
                pod.podRequirements(),
                pod.life(),
                pod.victimProtection());
    }

    /**
     * The cost of the engine's thread while pods are due that no node takes.
     *
     * @param pods the number of these pods
     * @param perSecond the number of pod events a second; 17 node events a second come in addition
     * @param events the number of measured changes of pods and nodes
     * @param share the CPU time of all steps, events and timers, as a share of one core, in percent of the engine's
     * time
     * @param p99 the CPU time of an event's step that 99 % of the events do not exceed, in microseconds
     * @param handled the same for the time until an event is handled, which includes the wait for earlier events and
     * plans
     * @param holds the holds that the policy's status counts at the end
     */
    record Run(int pods, int perSecond, int events, double share, double p99, double handled, String holds) {
        private static final Target SHARE = Target.atMost(5);
        private static final Target EVENT = Target.atMost(1_000);

        List<Figure> figures() {
            String what =
                    String.format(Locale.ROOT, "%,d due pods without a node, %,d pod events a second", pods, perSecond);
            return List.of(
                    Figure.of("P18", what + ", share of a core", share, Unit.PERCENT)
                            .against(SHARE)
                            .noting(holds),
                    Figure.of("P18", what + ", p99 of an event", p99, Unit.MICROSECONDS)
                            .against(EVENT)
                            .noting(String.format(
                                    Locale.ROOT,
                                    "%s with the wait for plans; of %,d",
                                    Unit.MICROSECONDS.print(handled),
                                    events)));
        }
    }
}
