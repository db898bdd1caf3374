package dev.holdfast.it.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.bench.report.Aim.Statistic;
import dev.holdfast.it.bench.report.EventFigures.Iteration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a report of the engine looks like, as a file and as a table. */
class EngineReportTest {
    private static final List<Aim> AIMS = List.of(
            new Aim(Statistic.COST, 5, 2), new Aim(Statistic.P99, 20, 10), new Aim(Statistic.GARBAGE, Aim.NO_GOAL, 0));

    private static EventFigures events(double cpu, double garbage) {
        return new EventFigures(
                "P1",
                "pod-status",
                "status of a pod only",
                1_200,
                2.4,
                1.2,
                2.5,
                25,
                1_800,
                AIMS,
                List.of(new Iteration(
                        100, 100 * cpu, 50, 100 * garbage, List.of(List.of(1.2, 1_000.0), List.of(25.0, 200.0)))));
    }

    private static EngineReport report() {
        List<EventFigures> events = List.of(events(1, 0));
        List<EventFigures> million = List.of(events(4, 80));
        List<HeapFigures> heaps = List.of(
                new HeapFigures("usual", 1_000, 50, 70, 3, 123.4, "JOL", 700_000, 300_000),
                new HeapFigures("a million pods", 1_000_000, 100_000, 50_000, 9, 9_876, "heap in use", 650L << 20, 0));
        List<ChurnFigures> churn =
                List.of(new ChurnFigures(3_000, 10_000_000, 250_000, List.of(100L, 101L), 0.25, 200, 203));
        return new EngineReport(
                "engine",
                "2026-11-21T12:00:00Z",
                new Checkout("0123456789abcdef", false),
                new Machine(2, "A Processor", 16_384, 0.25, "Linux 6", "A JVM 25"),
                new EngineBenchOptions(150_000, 5_000, "", 1, 5, 1_000, 10_000_000, true, 7),
                events,
                million,
                heaps,
                churn,
                EngineGoals.of(events, million, heaps, churn));
    }

    @Test
    void theTable() {
        assertThat(EngineTable.of(report())).isEqualTo("""
            150,000 pods, 5,000 nodes, seed 7; 1 x 5 iterations of 1000 ms; commit 0123456789
            2 cores (A Processor), 16 GiB, load 0.3 before; A JVM 25

                                      cost     garbage  mean     p50      p90      p99      max     samples
            P1  status of a pod only  1.50 us  0 B      2.40 us  1.20 us  2.50 us  25.0 us  1.8 ms  1,200
            P4  status of a pod only  4.50 us  80 B     2.40 us  1.20 us  2.50 us  25.0 us  1.8 ms  1,200

            heap            pods       nodes    terms   violations  loaded in  MiB    B a pod  without facts
            usual           1,000      50       70      3           123 ms     0.7    700      400
            a million pods  1,000,000  100,000  50,000  9           9,876 ms   650.0  682      -

                 figure                                         goal        beyond      measured
            P1   status of a pod only, mean cost                <= 5 us     <= 2 us     1.50 us   met, beyond too
            P1   status of a pod only, p99                      <= 20 us    <= 10 us    25.0 us   MISSED
            P1   status of a pod only, garbage                              <= 0 B      0 B       beyond met
            P4   status of a pod only, mean cost to that above  <= 2x       <= 1.1x     3.00x     MISSED
            P4   heap of a million pods                         <= 600 MiB  <= 350 MiB  650 MiB   MISSED
            P17  drift of the heap over 10,000,000 events       0 +- 1 %                +0.25 %   met
            P17  the index afterwards, to before                0 +- 1 %                +1.50 %   MISSED\
            """);
    }

    @Test
    void theFileHoldsEverySample() throws Exception {
        JsonNode json = new ObjectMapper().readTree(ReportFile.json(report()));

        assertThat(json.at("/events/0/iterations/0/samples").toString()).isEqualTo("[[1.2,1000.0],[25.0,200.0]]");
        assertThat(json.at("/churn/0/usedBytes").toString()).isEqualTo("[100,101]");
        assertThat(json.at("/options/seed").asInt()).isEqualTo(7);
        assertThat(json.at("/machine/processor").asText()).isEqualTo("A Processor");
        assertThat(json.at("/checkout/commit").asText()).isEqualTo("0123456789abcdef");
        assertThat(json.at("/goals")).hasSize(7);
    }
}
