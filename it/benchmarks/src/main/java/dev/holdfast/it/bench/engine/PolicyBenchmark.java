package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.engine.WorldPlan.Shape;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.RuleKind;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.TearDown;

/** The JMH benchmark that times adding a policy that selects every pod to the index. Its removal is not measured. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PolicyBenchmark {
    /** The kind of the policy's rule. */
    @Param("NODE_AFFINITY")
    public RuleKind kind = RuleKind.NODE_AFFINITY;

    @Param("150000")
    public int pods;

    @Param("5000")
    public int nodes;

    @Param("15")
    public int replicas;

    @Param("1")
    public long seed;

    private @Nullable Index index;
    private @Nullable Policy policy;

    /** Generates the cluster and loads it into the index. */
    @Setup(Level.Trial)
    public void load() {
        policy = WorldPolicies.further(kind);
        index = World.of(new WorldPlan(pods, nodes, replicas, Shape.USUAL, seed))
                .load(new VerdictCounter());
    }

    /** Adds the policy to the index; JMH times this method. */
    @Benchmark
    public void put() {
        Objects.requireNonNull(index).put(Objects.requireNonNull(policy));
    }

    /** Removes the policy from the index, without measuring that. */
    @TearDown(Level.Invocation)
    public void remove(CpuTime cpu) {
        cpu.turns++;
        cpu.pause();
        Objects.requireNonNull(index).remove(Objects.requireNonNull(policy).id());
        cpu.resume();
    }
}
