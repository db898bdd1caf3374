package dev.holdfast.it.bench.engine;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
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
 * The JMH benchmark that times one turn of a {@link Scene}: an event or a new policy. The runner sets the parameters.
 * The events of a few turns are created right before they are needed; the creation is not measured.
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

    private final Queue<Runnable> made = new ArrayDeque<>();
    private Supplier<List<Runnable>> turns = List::of;
    private Runnable turn = () -> {};

    /** Generates the cluster, and loads it into the index or the engine. */
    @Setup(Level.Trial)
    public void load() {
        Scene played = Scene.named(scene);
        turns = played.load(new World(new WorldPlan(pods, nodes, replicas, played.auditedOneIn())));
    }

    /** Makes the next turn ready. */
    @Setup(Level.Invocation)
    public void prepare(CpuTime cpu) {
        if (made.isEmpty()) {
            cpu.pause();
            made.addAll(turns.get());
            cpu.resume();
        }
        turn = made.remove();
        cpu.turns++;
    }

    /** Plays one turn; JMH times this method. */
    @Benchmark
    public void turn() {
        turn.run();
    }
}
