package dev.holdfast.it.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A run that takes seconds produces every figure of the engine bench; the values mean nothing. */
class EngineBenchTest {
    private static List<Figure> measure(Path root, String... options) throws IOException {
        EngineBench bench = new EngineBench(root, Instant::now);
        new CommandLine(bench).parseArgs(options);
        Report report = new Report("it/bench engine");
        bench.measure(report);
        return report.figures();
    }

    @Test
    void aQuickRunTakesEveryFigure(@TempDir Path root) throws IOException {
        List<Figure> figures = measure(root, "--quick");

        Map<String, Long> goals = figures.stream()
                .filter(figure -> !figure.goal().isEmpty())
                .collect(Collectors.groupingBy(Figure::section, Collectors.counting()));
        assertThat(goals)
                .isEqualTo(Map.of(
                        "P1",
                        8L,
                        "P2",
                        4L,
                        "P3",
                        6L,
                        "engine",
                        3L,
                        "unselected",
                        4L,
                        "P17",
                        2L,
                        "P18",
                        16L,
                        "P19",
                        3L));
        assertThat(figures)
                .filteredOn(figure -> figure.name().endsWith(", mean cost"))
                .hasSize(Scene.all("").size())
                .allSatisfy(figure -> assertThat(figure.value()).isPositive());
        assertThat(figures)
                .filteredOn(figure -> figure.name().startsWith("index size afterwards"))
                .singleElement()
                .satisfies(figure -> assertThat(figure.value()).isBetween(-1.0, 1.0));
        assertThat(figures)
                .extracting(Figure::name)
                .contains(
                        "heap of 3,000 pods on 100 nodes",
                        "heap of the engine with 3,000 violations at once",
                        "edit widens a policy of a namespace among 3,000 violations, p99");
    }

    @Test
    void withOnlyNothingElseIsMeasured(@TempDir Path root) throws IOException {
        assertThat(measure(root, "--quick", "--only=pod-status"))
                .extracting(Figure::name)
                .containsExactly(
                        "status of a pod only, mean cost",
                        "status of a pod only, garbage",
                        "status of a pod only, median",
                        "status of a pod only, p99");
    }

    @Test
    void aHeapThatGrowsByATenthDriftsByTenPercentOfItsMean() {
        assertThat(ChurnBench.drift(List.of(95L, 100L, 105L))).isEqualTo(10.0);
        assertThat(ChurnBench.drift(List.of(100L, 90L, 100L, 90L, 100L))).isZero();
    }
}
