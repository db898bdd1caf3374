package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
    PressureRun run(int pods, int perSecond) {
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
        return new PressureRun(
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
                engine.step(new Event.FactChanged(new ClusterEvent.NodeChanged(heartbeat())));
            } else {
                podEvent(replaced, status).forEach(fact -> engine.step(new Event.FactChanged(fact)));
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
}
