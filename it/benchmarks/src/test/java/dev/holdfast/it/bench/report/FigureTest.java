package dev.holdfast.it.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** How a figure is compared with its target. */
class FigureTest {
    record Row(String name, Target target, double value, String goal, String stretch, String verdict) {
        @Override
        public String toString() {
            return name;
        }
    }

    static final List<Row> ROWS = List.of(
            new Row("at the stretch", Target.atMost(5, 2), 2, "<= 5 B", "<= 2 B", "met, stretch too"),
            new Row("above the stretch", Target.atMost(5, 2), 2.1, "<= 5 B", "<= 2 B", "met"),
            new Row("at the goal", Target.atMost(5, 2), 5, "<= 5 B", "<= 2 B", "met"),
            new Row("above the goal", Target.atMost(5, 2), 5.1, "<= 5 B", "<= 2 B", "MISSED"),
            new Row("at least the stretch", Target.atLeast(12, 18), 18, ">= 12 B", ">= 18 B", "met, stretch too"),
            new Row("at least the goal", Target.atLeast(12, 18), 12, ">= 12 B", ">= 18 B", "met"),
            new Row("less than the goal", Target.atLeast(12, 18), 11.9, ">= 12 B", ">= 18 B", "MISSED"),
            new Row("a goal alone, met", Target.atMost(10), 10, "<= 10 B", "", "met"),
            new Row("a goal alone, missed", Target.atMost(10), 10.1, "<= 10 B", "", "MISSED"),
            new Row("a stretch alone, met", Target.stretchAtMost(0), 0, "", "<= 0 B", "stretch met"),
            new Row("a stretch alone, missed", Target.stretchAtMost(0), 1, "", "<= 0 B", "stretch missed"),
            new Row("near 0 from below", Target.within(1), -1, "0 +- 1 B", "", "met"),
            new Row("too far below 0", Target.within(1), -1.1, "0 +- 1 B", "", "MISSED"),
            new Row("too far above 0", Target.within(1), 1.1, "0 +- 1 B", "", "MISSED"),
            new Row("no target", Target.none(), 7, "", "", ""));

    @ParameterizedTest
    @FieldSource("ROWS")
    void aTargetIsMetOrMissed(Row row) {
        Figure figure = Figure.of("P1", "a figure", row.value(), Unit.BYTES).against(row.target());

        assertThat(figure.cells())
                .containsExactly(
                        "P1", "a figure", Unit.BYTES.print(row.value()), row.goal(), row.stretch(), row.verdict(), "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MICROSECONDS | 2.4     | 2.4 us",
                "MICROSECONDS | 2.468   | 2.47 us",
                "MICROSECONDS | 999     | 999 us",
                "MICROSECONDS | 1800    | 1.8 ms",
                "MICROSECONDS | 150000  | 150 ms",
                "MILLISECONDS | 56.04   | 56 ms",
                "BYTES        | 0       | 0 B",
                "BYTES        | 8100.4  | 8,100 B",
                "MEBIBYTES    | 650.4   | 650 MiB",
                "PERCENT      | -0.25   | -0.25 %",
                "TIMES        | 1.1     | 1.1x",
                "SECONDS      | 34.96   | 35 s",
                "COUNT        | 200000  | 200,000"
            })
    void aNumberHasAboutThreeDigitsAndItsUnit(Unit unit, double value, String text) {
        assertThat(unit.print(value)).isEqualTo(text);
    }

    @Test
    void aMedianNotesItsRange() {
        Figure figure = Figure.median("P7", "start", List.of(6.0, 5.0, 9.0), Unit.SECONDS);

        assertThat(figure).isEqualTo(new Figure("P7", "start", 6, Unit.SECONDS, "5 s to 9 s in 3", Target.none()));
        assertThat(figure.noting("more").note()).isEqualTo("5 s to 9 s in 3; more");
    }
}
