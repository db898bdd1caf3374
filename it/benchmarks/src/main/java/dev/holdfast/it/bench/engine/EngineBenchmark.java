package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.ClusterEvent;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The JMH benchmark that times one turn, a batch of events of a {@link Scene}. The runner sets the parameters. The
 * events of a few turns are created right before they are needed; the creation is not measured.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class EngineBenchmark {
    /** The name of the {@link Scene} to measure. */
    @Param("pod-replaced")
    public String scene = "";

    @Param("150000")
    public int pods;

    @Param("5000")
    public int nodes;

    @Param("15")
    public int replicas;

    @Param("1")
    public long seed;

    private static final int TURNS_MADE_TOGETHER = 16;

    private final Queue<List<ClusterEvent>> made = new ArrayDeque<>();
    private List<ClusterEvent> events = List.of();
    private @Nullable Consumer<ClusterEvent> subject;
    private @Nullable Script script;

    /** Generates the cluster, and loads it into the index or the engine. */
    @Setup(Level.Trial)
    public void load() {
        Scene played = Scene.named(scene);
        World world = World.of(new WorldPlan(pods, nodes, replicas, played.shape(), seed));
        subject = played.subject().load(world);
        script = played.script(world);
    }

    /** Makes the events of the next turn ready. */
    @Setup(Level.Invocation)
    public void prepare(CpuTime cpu) {
        if (made.isEmpty()) {
            cpu.pause();
            for (int i = 0; i < TURNS_MADE_TOGETHER; i++) {
                made.add(Objects.requireNonNull(script).next());
            }
            cpu.resume();
        }
        events = made.remove();
        cpu.turns++;
    }

    /** Delivers the events of one turn; JMH times this method. */
    @Benchmark
    public void turn() {
        Consumer<ClusterEvent> listener = Objects.requireNonNull(subject);
        for (ClusterEvent event : events) {
            listener.accept(event);
        }
    }
}
