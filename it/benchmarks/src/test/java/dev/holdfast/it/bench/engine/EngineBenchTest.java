package dev.holdfast.it.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.RunInfo;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** A run that takes seconds produces every figure of the engine bench; the values mean nothing. */
class EngineBenchTest {
    private static List<Figure> measure(String... options) {
        EngineBench bench = new EngineBench(Path.of("").toAbsolutePath(), Instant::now);
        new CommandLine(bench).parseArgs(options);
        bench.adjustOptions();
        Report report = new Report(new RunInfo("it/bench engine", "", "", ""));
        bench.measure(report);
        return report.figures();
    }

    @Test
    void aQuickRunTakesEveryFigure() {
        List<Figure> figures = measure("--quick");

        int scenes = Scene.all().size() + 4;
        assertThat(figures)
                .filteredOn(figure -> figure.name().endsWith(", mean cost"))
                .hasSize(scenes)
                .allSatisfy(figure -> assertThat(figure.value()).isPositive());
        assertThat(figures)
                .filteredOn(figure -> !figure.verdict().isEmpty())
                .hasSize(3 * 12 + 4 + 6 + 3 + 2 + 2 * 8 + 3);
        assertThat(figures)
                .filteredOn(figure -> figure.name().endsWith(", a pod"))
                .extracting(Figure::name)
                .containsExactly(
                        "heap of usual, a pod",
                        "heap of usual, no policies, a pod",
                        "heap of labels of each pod unique, a pod");
        assertThat(figures)
                .filteredOn(figure -> figure.name().startsWith("index size afterwards"))
                .singleElement()
                .satisfies(figure -> assertThat(figure.value()).isBetween(-1.0, 1.0));
        assertThat(figures)
                .filteredOn(figure -> figure.section().equals("R17"))
                .first()
                .satisfies(figure ->
                        assertThat(figure.name()).isEqualTo("heap of the engine with 3,000 violations at once"));
        assertThat(figures).filteredOn(figure -> figure.section().equals("P18")).hasSize(2 * 8);
    }

    @Test
    void withOnlyNothingElseIsMeasured() {
        assertThat(measure("--quick", "--only=pod-status"))
                .extracting(Figure::name)
                .containsExactly(
                        "status of a pod only, mean cost",
                        "status of a pod only, garbage",
                        "status of a pod only, median",
                        "status of a pod only, p99");
    }

    @Test
    void editsHaveTheP99OfPodWorkloadAndPolicy() {
        assertThat(measure("--quick", "--only=edits"))
                .extracting(Figure::name)
                .containsExactly(
                        "annotation keeps a pod no longer among 3,000 violations, p99",
                        "annotation keeps a workload no longer among 3,000 violations, p99",
                        "edit widens a policy of a namespace among 3,000 violations, p99");
    }

    @Test
    void aHeapThatGrowsByATenthDriftsByTenPercentOfItsMean() {
        assertThat(ChurnBench.Run.drift(List.of(95L, 100L, 105L))).isEqualTo(10.0);
        assertThat(ChurnBench.Run.drift(List.of(100L, 90L, 100L, 90L, 100L))).isZero();
        assertThat(ChurnBench.Run.drift(List.of(100L))).isZero();
    }
}
