package dev.holdfast.it.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The report of a bench as text and as a JSON file. */
class ReportTest {
    private record Options(long seed) {
        @Override
        public String toString() {
            return "seed " + seed;
        }
    }

    private record Raw(List<Double> times) {}

    private static final Report REPORT = new Report(
            new RunInfo(
                    "engine",
                    "2026-11-21T12:00:00Z",
                    new Checkout("0123456789abcdef", true),
                    new Machine(2, "A Processor", 16_384, 0.25, "Linux 6", "A JVM 25"),
                    new Options(7)),
            List.of(
                    Figure.of("P1", "status of a pod only, mean cost", 1.5, Unit.MICROSECONDS)
                            .against(Target.atMost(5, 2)),
                    Figure.of("P1", "status of a pod only, p99", 25, Unit.MICROSECONDS)
                            .against(Target.atMost(20, 10))
                            .noting("max 1.8 ms of 1,200"),
                    Figure.of("", "bytes of a pod", 8_100, Unit.BYTES)),
            new Raw(List.of(1.5, 25.0)));

    @Test
    void theTextSaysOfEachFigureWhatWasMeasuredAndWhetherItsTargetIsMet() {
        assertThat(REPORT.text()).isEqualTo("""
            seed 7; commit 0123456789 with changes
            2 cores (A Processor), 16 GiB, load 0.3 before; A JVM 25

                figure                           measured  goal      stretch                     samples
            P1  status of a pod only, mean cost  1.5 us    <= 5 us   <= 2 us   met, stretch too
            P1  status of a pod only, p99        25 us     <= 20 us  <= 10 us  MISSED            max 1.8 ms of 1,200
                bytes of a pod                   8,100 B\
            """);
    }

    @Test
    void theFileHoldsTheRunTheFiguresAndEverySample() throws Exception {
        JsonNode json = new ObjectMapper().readTree(REPORT.json());

        assertThat(json.at("/run/bench").asText()).isEqualTo("engine");
        assertThat(json.at("/run/started").asText()).isEqualTo("2026-11-21T12:00:00Z");
        assertThat(json.at("/run/checkout/commit").asText()).isEqualTo("0123456789abcdef");
        assertThat(json.at("/run/checkout/changed").asBoolean()).isTrue();
        assertThat(json.at("/run/machine/processor").asText()).isEqualTo("A Processor");
        assertThat(json.at("/run/options/seed").asInt()).isEqualTo(7);
        assertThat(json.at("/figures/1").toString())
                .isEqualTo("{\"section\":\"P1\",\"name\":\"status of a pod only, p99\",\"value\":25.0,"
                        + "\"unit\":\"MICROSECONDS\",\"note\":\"max 1.8 ms of 1,200\","
                        + "\"target\":{\"goal\":{\"bound\":\"AT_MOST\",\"value\":20.0},"
                        + "\"stretch\":{\"bound\":\"AT_MOST\",\"value\":10.0}},\"verdict\":\"MISSED\"}");
        assertThat(json.at("/figures")).hasSize(3);
        assertThat(json.at("/raw/times").toString()).isEqualTo("[1.5,25.0]");
    }
}
