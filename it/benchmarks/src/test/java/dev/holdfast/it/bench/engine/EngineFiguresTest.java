package dev.holdfast.it.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.bench.engine.SceneTiming.Goals;
import dev.holdfast.it.bench.engine.SceneTiming.Iteration;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Target;
import dev.holdfast.it.bench.report.Unit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The figures that the engine bench computes from its measurements. */
class EngineFiguresTest {
    private static SceneTiming timing(String section, Goals goals, double cpu, double garbage) {
        return new SceneTiming(
                section,
                "pod-status",
                "status of a pod only",
                goals,
                1_200,
                2.4,
                1.2,
                2.5,
                25,
                1_800,
                List.of(new Iteration(
                        100, 100 * cpu, 50, 100 * garbage, List.of(List.of(1.2, 1_000.0), List.of(25.0, 200.0)))));
    }

    private static final List<Figure> FIGURES = Stream.of(
                    timing("P1", Goals.ONE_POD, 1, 0).figures(),
                    timing("P4", Goals.NONE, 4, 80).figures(),
                    new HeapBench("usual", 1_000, 50, 70, 3, 123, 700_000, 300_000).figures(),
                    new HeapBench("a million pods", 1_000_000, 100_000, 50_000, 9, 9_876, 650L << 20, 0).figures(),
                    new ChurnBench.Run(3_000, 10_000_000, 250_000, List.of(100L, 101L), 0.25, 200, 203).figures(),
                    new PressureBench.Run(240, 20, 2_220, 4.5, 1_200, 3_000, "{INFEASIBLE=240}").figures(),
                    new ViolationsRun(1_000, 90L << 20, (90L << 20) + 500_000, "{QUEUED=1000}").figures(),
                    new TenantEdits(1_000, List.of(30_000L), List.of(40_000L), List.of(51_000L)).figures())
            .flatMap(List::stream)
            .toList();

    private static final String OTHERS = "mean 2.4 us, p90 2.5 us, max 1.8 ms of 1,200";
    private static final String USUAL = "1,000 pods, 50 nodes, 70 terms, 3 violations, loaded in 123 ms";
    private static final String MILLION =
            "1,000,000 pods, 100,000 nodes, 50,000 terms, 9 violations, loaded in 9,876 ms";

    private static Figure edit(String name, double micros) {
        return figure("P19", name, micros, Unit.MICROSECONDS)
                .against(Target.atMost(50))
                .noting("median " + (int) micros + " us, max " + (int) micros + " us of 1");
    }

    private static Figure figure(String section, String name, double value, Unit unit) {
        return Figure.of(section, name, value, unit);
    }

    @Test
    void everyMeasurementHasItsFigures() {
        assertThat(FIGURES)
                .containsExactly(
                        figure("P1", "status of a pod only, mean cost", 1.5, Unit.MICROSECONDS)
                                .against(Target.atMost(5, 2)),
                        figure("P1", "status of a pod only, garbage", 0, Unit.BYTES)
                                .against(Target.stretchAtMost(0)),
                        figure("P1", "status of a pod only, median", 1.2, Unit.MICROSECONDS),
                        figure("P1", "status of a pod only, p99", 25, Unit.MICROSECONDS)
                                .against(Target.atMost(20, 10))
                                .noting(OTHERS),
                        figure("P4", "status of a pod only, mean cost", 4.5, Unit.MICROSECONDS),
                        figure("P4", "status of a pod only, garbage", 80, Unit.BYTES),
                        figure("P4", "status of a pod only, median", 1.2, Unit.MICROSECONDS),
                        figure("P4", "status of a pod only, p99", 25, Unit.MICROSECONDS)
                                .noting(OTHERS),
                        figure("heap", "heap of usual", 700_000.0 / (1 << 20), Unit.MEBIBYTES)
                                .noting(USUAL),
                        figure("heap", "heap of usual, a pod", 700, Unit.BYTES),
                        figure("heap", "heap of usual, a pod without facts", 400, Unit.BYTES),
                        figure("P4", "heap of a million pods", 650, Unit.MEBIBYTES)
                                .against(Target.atMost(600, 350))
                                .noting(MILLION),
                        figure("P4", "heap of a million pods, a pod", 650.0 * (1 << 20) / 1_000_000, Unit.BYTES),
                        figure("P17", "drift of the heap over 10,000,000 events", 0.25, Unit.PERCENT)
                                .against(Target.within(1))
                                .noting("250,000 events a second"),
                        figure("P17", "index size afterwards relative to before", 1.5, Unit.PERCENT)
                                .against(Target.within(1)),
                        figure(
                                        "P18",
                                        "240 due pods without a node, 20 pod events a second, share of a core",
                                        4.5,
                                        Unit.PERCENT)
                                .against(Target.atMost(5))
                                .noting("{INFEASIBLE=240}"),
                        figure(
                                        "P18",
                                        "240 due pods without a node, 20 pod events a second, p99 of an event",
                                        1_200,
                                        Unit.MICROSECONDS)
                                .against(Target.atMost(1_000))
                                .noting("3 ms with the wait for plans; of 2,220"),
                        figure(
                                        "R17",
                                        "heap of the engine with 1,000 violations at once",
                                        90 + 500_000.0 / (1 << 20),
                                        Unit.MEBIBYTES)
                                .noting("90 MiB with few"),
                        figure("R17", "1,000 violations at once, a violation", 500, Unit.BYTES)
                                .noting("{QUEUED=1000}"),
                        edit("annotation keeps a pod no longer among 1,000 violations, p99", 30),
                        edit("annotation keeps a workload no longer among 1,000 violations, p99", 40),
                        edit("edit widens a policy of a namespace among 1,000 violations, p99", 51));
    }
}
