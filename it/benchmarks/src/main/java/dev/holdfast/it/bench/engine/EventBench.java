package dev.holdfast.it.bench.engine;

import static java.util.Objects.requireNonNull;

import dev.holdfast.it.bench.engine.SceneTiming.Goals;
import dev.holdfast.it.bench.engine.SceneTiming.Iteration;
import dev.holdfast.policies.rule.RuleKind;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** Runner of the JMH benchmarks: times each {@link Scene} in a separate JVM with the flags of the operator's image. */
final class EventBench {
    private static final int WARMUPS = 7;
    private static final int P50 = 50;
    private static final int P90 = 90;
    private static final int P99 = 99;
    private static final double NANOS = 1e3;
    private static final double MILLIS = 1e3;
    private static final String GARBAGE = "garbage";
    private static final String COLLECTING = "gc.time";
    private static final String CPU = "cpu";
    private static final String TURNS = "turns";

    /** How many pods of a generated cluster need a heap of one GiB, including room for events. */
    private static final int PODS_PER_GIB = 150_000;

    private final int forks;
    private final int iterations;
    private final TimeValue length;

    /**
     * @param forks how many JVMs measure each scene, one after the other; 0 runs the scene in this JVM, for a quick
     * test
     * @param iterations the JMH iterations of a scene, after seven warm-up iterations
     */
    EventBench(int forks, int iterations, int iterationMillis) {
        this.forks = forks;
        this.iterations = iterations;
        this.length = TimeValue.milliseconds(iterationMillis);
        if (forks == 0) {
            // By default JMH refuses to run twice at a time on a machine. This run only tests the bench, so that does
            // not matter.
            System.setProperty("jmh.ignoreLock", "true");
        }
    }

    /** Times a scene in a generated cluster of this size; the scene has a shape of its own. */
    SceneTiming measure(Scene scene, String section, Goals goals, WorldPlan size) {
        ChainedOptionsBuilder run = builder("turn", EngineBenchmark.class, size).param("scene", scene.name());
        return timing(section, scene.name(), scene.what(), goals, result(run));
    }

    /** Times the creation of a policy that selects every pod, with a rule of this kind. */
    SceneTiming measurePolicy(RuleKind kind, WorldPlan size) {
        ChainedOptionsBuilder run = builder("put", PolicyBenchmark.class, size).param("kind", kind.name());
        return timing("P3", policy(kind), "new policy for every pod, " + kind.label(), Goals.POLICY, result(run));
    }

    /** {@return the name of the measurement of a new policy with a rule of this kind} */
    static String policy(RuleKind kind) {
        return "policy-" + kind.label();
    }

    private ChainedOptionsBuilder builder(String method, Class<?> benchmark, WorldPlan size) {
        String gib = size.pods() / PODS_PER_GIB + 1 + "g";
        return new OptionsBuilder()
                .include("^" + Pattern.quote(benchmark.getName() + "." + method) + "$")
                .param("pods", Integer.toString(size.pods()))
                .param("nodes", Integer.toString(size.nodes()))
                .param("replicas", Integer.toString(size.replicas()))
                .param("seed", Long.toString(size.seed()))
                .forks(forks)
                .warmupIterations(WARMUPS)
                .warmupTime(length)
                .measurementIterations(iterations)
                .measurementTime(length)
                // Those of the operator's image, with a larger heap. JMH needs the last; otherwise the JVM logs a
                // warning
                // each time.
                .jvmArgs(
                        "-XX:+UseSerialGC",
                        "-XX:+UseCompactObjectHeaders",
                        "-Xms" + gib,
                        "-Xmx" + gib,
                        "--sun-misc-unsafe-memory-access=allow")
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
    }

    private static BenchmarkResult result(ChainedOptionsBuilder run) {
        try {
            RunResult result = new Runner(run.build()).runSingle();
            return result.getAggregatedResult();
        } catch (RunnerException e) {
            throw new IllegalStateException("JMH could not run a scene: " + reason(e), e);
        }
    }

    /** {@return the message of the root cause, which JMH wraps in causes and suppressed exceptions} */
    private static String reason(Throwable wrong) {
        if (wrong.getCause() != null) {
            return reason(wrong.getCause());
        }
        return wrong.getSuppressed().length > 0 ? reason(wrong.getSuppressed()[0]) : wrong.toString();
    }

    private static SceneTiming timing(String section, String name, String what, Goals goals, BenchmarkResult result) {
        Statistics all = result.getPrimaryResult().getStatistics();
        List<Iteration> iterations = new ArrayList<>();
        for (IterationResult one : result.getIterationResults()) {
            Statistics times = one.getPrimaryResult().getStatistics();
            iterations.add(new Iteration(
                    number(one, TURNS),
                    number(one, CPU) / NANOS,
                    one.getSecondaryResults().containsKey(COLLECTING) ? number(one, COLLECTING) * MILLIS : 0,
                    number(one, GARBAGE),
                    samples(times)));
        }
        return new SceneTiming(
                section,
                name,
                what,
                goals,
                all.getN(),
                all.getMean(),
                all.getPercentile(P50),
                all.getPercentile(P90),
                all.getPercentile(P99),
                all.getMax(),
                iterations);
    }

    private static double number(IterationResult iteration, String result) {
        return requireNonNull(iteration.getSecondaryResults().get(result), result)
                .getScore();
    }

    private static List<List<Double>> samples(Statistics times) {
        List<List<Double>> samples = new ArrayList<>();
        for (Iterator<Map.Entry<Double, Long>> it = times.getRawData(); it.hasNext(); ) {
            Map.Entry<Double, Long> sample = it.next();
            samples.add(List.of(sample.getKey(), sample.getValue().doubleValue()));
        }
        return samples;
    }
}
