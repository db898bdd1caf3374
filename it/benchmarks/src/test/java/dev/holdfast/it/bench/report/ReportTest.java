package dev.holdfast.it.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.bench.measure.Summary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures of a bench, and its report. */
class ReportTest {
    private static Figure figure(double value) {
        return Figure.of("P1", "a figure", value, Unit.PERCENT);
    }

    @Test
    void aGoalIsMetUpToItsLimit() {
        assertThat(List.of(
                        figure(5).atMost(5),
                        figure(5.1).atMost(5),
                        figure(12).atLeast(12),
                        figure(11.9).atLeast(12),
                        figure(-1).within(1),
                        figure(-1.1).within(1),
                        figure(7)))
                .extracting(Figure::goal, Figure::verdict)
                .containsExactly(
                        tuple("<= 5 %", "met"),
                        tuple("<= 5 %", "MISSED"),
                        tuple(">= 12 %", "met"),
                        tuple(">= 12 %", "MISSED"),
                        tuple("0 +- 1 %", "met"),
                        tuple("0 +- 1 %", "MISSED"),
                        tuple("", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "MICROSECONDS, 2.468, 2.47 us",
        "MICROSECONDS, 1800, 1.8 ms",
        "MILLISECONDS, 56.04, 56 ms",
        "MEBIBYTES, 650.4, 650 MiB",
        "TIMES, 1.1, 1.1x"
    })
    void aNumberHasAboutThreeDigitsAndItsUnit(Unit unit, double value, String text) {
        assertThat(unit.print(value)).isEqualTo(text);
    }

    @Test
    void theTextHasTheValueOfEachFigureAndWhetherItsGoalIsMet() {
        Report report = new Report("it/bench some");
        report.add(
                Figure.of("P1", "mean cost", 1.5, Unit.MICROSECONDS).atMost(5),
                Figure.median("P7", "start", List.of(6.0, 5.0, 9.0), Unit.SECONDS)
                        .noting("more")
                        .atMost(5));

        assertThat(report.text()).isEqualTo("""
            it/bench some

                 FIGURE      MEASURED   GOAL               SAMPLES
            P1   mean cost   1.5 us     <= 5 us   met
            P7   start       6 s        <= 5 s    MISSED   5 s to 9 s in 3; more\
            """);
    }

    @Test
    void theFileHasTheFiguresAndEverySample(@TempDir Path folder) throws IOException {
        Report report = new Report("it/bench some");
        report.add(figure(7));
        report.raw("times", List.of(1.5, 25.0));
        Path file = folder.resolve("some.json");

        report.write(file);

        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.at("/figures/0/name").asText()).isEqualTo("a figure");
        assertThat(json.at("/raw/times").toString()).isEqualTo("[1.5,25.0]");
    }

    @Test
    void percentilesAreSamplesByNearestRank() {
        List<Double> upTo101 =
                DoubleStream.iterate(1, value -> value + 1).limit(101).boxed().toList();

        assertThat(Summary.of(upTo101)).isEqualTo(new Summary(101, 1, 51, 91, 100, 101));
        assertThat(Summary.of(List.of(2.0, 1.0))).isEqualTo(new Summary(2, 1, 1, 2, 2, 2));
    }
}
