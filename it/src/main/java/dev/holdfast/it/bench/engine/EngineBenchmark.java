package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.ClusterEvent;
import java.util.Objects;
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

/** What JMH runs: one turn of a scene. The parameters come from the runner. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class EngineBenchmark {
    /** The name of a scene. */
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

    private @Nullable Consumer<ClusterEvent> subject;
    private @Nullable Script script;

    /** Makes the world and tells what is timed of it. */
    @Setup(Level.Trial)
    public void load() {
        Scene played = Scene.named(scene);
        World world = World.of(new WorldPlan(pods, nodes, replicas, played.shape(), seed));
        subject = played.subject().load(world);
        script = played.script(world);
    }

    /** One turn. */
    @Benchmark
    public void turn(CpuTime cpu) {
        cpu.turns++;
        Objects.requireNonNull(script).play(Objects.requireNonNull(subject));
    }
}
