package dev.holdfast.it.bench.engine;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * Runner of the JMH benchmark: times each {@link Scene} in a separate JVM with the flags of the operator's image.
 *
 * @param quick whether each scene runs in this JVM for some milliseconds, to test the bench
 * @param folder where JMH writes the samples of each scene
 */
record SceneRunner(boolean quick, Path folder) {
    private static final int WARMUPS = 7;
    private static final int ITERATIONS = 5;
    private static final TimeValue LENGTH = TimeValue.seconds(1);
    private static final TimeValue QUICK_LENGTH = TimeValue.milliseconds(20);
    private static final double NANOS = 1e3;
    private static final double MILLIS = 1e3;

    /** How many pods of a generated cluster need a heap of one GiB, including room for events. */
    private static final int PODS_PER_GIB = 150_000;

    /**
     * The timing of a scene, in microseconds for each turn.
     *
     * @param cost the mean CPU time, plus the pauses of the garbage collector
     * @param garbage the mean of the allocated bytes
     * @param times the wall-clock times; other processes of the machine increase them
     */
    record Timing(Scene scene, double cost, double garbage, Statistics times) {
        /** {@return one figure for each statistic} */
        Figure[] figures(String section, Scene.Goals goals) {
            Figure median = figure(section, "median", times.getPercentile(50), Unit.MICROSECONDS);
            Figure p99 = figure(section, "p99", times.getPercentile(99), Unit.MICROSECONDS)
                    .noting("max " + Unit.MICROSECONDS.print(times.getMax()) + " of " + times.getN());
            return new Figure[] {
                goals.of(goals.cost(), figure(section, "mean cost", cost, Unit.MICROSECONDS)),
                figure(section, "garbage", garbage, Unit.BYTES),
                goals.of(goals.median(), median),
                goals.of(goals.p99(), p99)
            };
        }

        private Figure figure(String section, String statistic, double value, Unit unit) {
            return Figure.of(section, scene.what() + ", " + statistic, value, unit);
        }
    }

    /** Times a scene in a generated cluster of this size. */
    Timing measure(Scene scene, int pods, int nodes, int replicas) throws IOException {
        Path samples = Files.createDirectories(folder).resolve("engine-" + scene.name() + "-" + pods + ".json");
        String gib = pods / PODS_PER_GIB + 1 + "g";
        Options options = new OptionsBuilder()
                .include("^" + Pattern.quote(EngineBenchmark.class.getName()) + "\\.turn$")
                .param("scene", scene.name())
                .param("pods", Integer.toString(pods))
                .param("nodes", Integer.toString(nodes))
                .param("replicas", Integer.toString(replicas))
                .forks(quick ? 0 : 1)
                .warmupIterations(WARMUPS)
                .warmupTime(quick ? QUICK_LENGTH : LENGTH)
                .measurementIterations(quick ? 1 : ITERATIONS)
                .measurementTime(quick ? QUICK_LENGTH : LENGTH)
                // Those of the operator's image, with a larger heap. JMH needs the last; otherwise the JVM logs a
                // warning each time.
                .jvmArgs(
                        "-XX:+UseSerialGC",
                        "-XX:+UseCompactObjectHeaders",
                        "-Xms" + gib,
                        "-Xmx" + gib,
                        "--sun-misc-unsafe-memory-access=allow")
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .resultFormat(ResultFormatType.JSON)
                .result(samples.toString())
                .verbosity(VerboseMode.SILENT)
                .build();
        try {
            BenchmarkResult result = new Runner(options).runSingle().getAggregatedResult();
            double turns = sum(result, "turns");
            double cost = sum(result, "cpu") / NANOS + sum(result, "gc.time") * MILLIS;
            Statistics times = result.getPrimaryResult().getStatistics();
            return new Timing(scene, cost / turns, sum(result, "garbage") / turns, times);
        } catch (RunnerException e) {
            throw new IllegalStateException("JMH could not run a scene: " + reason(e), e);
        }
    }

    /** {@return the sum of a counter over all iterations; an iteration without collections has no {@code gc.time}} */
    private static double sum(BenchmarkResult result, String counter) {
        return result.getIterationResults().stream()
                .flatMap(it -> Optional.ofNullable(it.getSecondaryResults().get(counter)).stream())
                .mapToDouble(number -> number.getScore())
                .sum();
    }

    /** {@return the message of the root cause, which JMH wraps in causes and suppressed exceptions} */
    private static String reason(Throwable wrong) {
        if (wrong.getCause() != null) {
            return reason(wrong.getCause());
        }
        return wrong.getSuppressed().length > 0 ? reason(wrong.getSuppressed()[0]) : wrong.toString();
    }
}
