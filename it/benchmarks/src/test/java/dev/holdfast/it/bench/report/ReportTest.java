package dev.holdfast.it.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The report of a bench as text and as a JSON file. */
class ReportTest {
    private static final Report REPORT = new Report(new RunInfo(
            "it/bench engine --seed=7",
            "2026-11-21T12:00:00Z",
            "0123456789 with changes",
            RunInfo.machine(
                            List.of("processor\t: 0", "model name\t: A Processor @ 2 GHz", "processor\t: 1"),
                            List.of("MemTotal:       16777216 kB", "MemFree: 1 kB"),
                            "0.25 1.50 2.75 1/300 4711\n")
                    .replaceAll("^\\d+|;.*", "")));

    static {
        REPORT.add(Figure.of("P1", "status of a pod only, mean cost", 1.5, Unit.MICROSECONDS)
                .against(Target.atMost(5, 2)));
        REPORT.add(Figure.of("P1", "status of a pod only, p99", 25, Unit.MICROSECONDS)
                .against(Target.atMost(20, 10))
                .noting("max 1.8 ms of 1,200"));
        REPORT.add(Figure.of("", "bytes of a pod", 8_100, Unit.BYTES));
        REPORT.raw("times", List.of(1.5, 25.0));
    }

    @Test
    void theTextHasTheValueOfEachFigureAndWhetherItsTargetIsMet() {
        assertThat(REPORT.text()).isEqualTo("""
            it/bench engine --seed=7
            commit 0123456789 with changes, 2026-11-21T12:00:00Z
             cores (A Processor @ 2 GHz), 16 GiB, load 0.25 before

                 FIGURE                            MEASURED   GOAL       STRETCH                       SAMPLES
            P1   status of a pod only, mean cost   1.5 us     <= 5 us    <= 2 us    met, stretch too
            P1   status of a pod only, p99         25 us      <= 20 us   <= 10 us   MISSED             max 1.8 ms of 1,200
                 bytes of a pod                    8,100 B\
            """);
    }

    @Test
    void theFileHoldsTheRunTheFiguresAndEverySample() throws Exception {
        JsonNode json = new ObjectMapper().readTree(REPORT.json());

        assertThat(json.at("/run/command").asText()).isEqualTo("it/bench engine --seed=7");
        assertThat(json.at("/figures/1").toString())
                .isEqualTo("{\"section\":\"P1\",\"name\":\"status of a pod only, p99\",\"value\":25.0,"
                        + "\"unit\":\"MICROSECONDS\",\"note\":\"max 1.8 ms of 1,200\","
                        + "\"target\":{\"bound\":\"AT_MOST\",\"goal\":[20.0],\"stretch\":[10.0]},"
                        + "\"verdict\":\"MISSED\"}");
        assertThat(json.at("/figures")).hasSize(3);
        assertThat(json.at("/raw/times").toString()).isEqualTo("[1.5,25.0]");
    }

    @Command(name = "some", mixinStandardHelpOptions = true)
    private static final class SomeBench extends Bench {
        @Option(names = "--pods", defaultValue = "3")
        private int pods;

        @Option(names = "--only", defaultValue = "")
        private String only = "";

        @Option(names = "--quick")
        private boolean quick;

        @Option(names = "--million")
        private boolean million;

        SomeBench() {
            super(Path.of(""), () -> Instant.EPOCH);
        }

        @Override
        protected void measure(Report report) {
            throw new IllegalStateException("no figure of " + pods + only + quick + million);
        }
    }

    @Test
    void theCommandNamesEveryOptionThatIsSet() {
        SomeBench bench = new SomeBench();
        new CommandLine(bench).parseArgs("--quick");

        assertThat(bench.command()).isEqualTo("it/bench some --pods=3 --quick");
    }

    @Test
    void aBenchThatFailsEndsWithExitCode3() {
        assertThat(new CommandLine(new SomeBench()).execute()).isEqualTo(3);
    }
}
