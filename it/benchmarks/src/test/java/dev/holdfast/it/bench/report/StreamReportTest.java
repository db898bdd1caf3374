package dev.holdfast.it.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.bench.report.StreamFigures.Round;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a report of recorded watches looks like, as a file and as a table. */
class StreamReportTest {
    /** Of 1,000 events of 8 KB: 4, 5 and 10 ms, of which the collector took one in the last. */
    private static final List<Round> ROUNDS = List.of(
            new Round(1_000, 8_000_000, 4_000, 0, 200_000),
            new Round(1_000, 8_000_000, 9_000, 1_000, 2_000_000),
            new Round(1_000, 8_000_000, 5_000, 0, 300_000));

    private static StreamReport report() {
        List<StreamFigures> streams = List.of(
                new StreamFigures("decoder alone", "status of pods only", false, ROUNDS),
                new StreamFigures("feed and engine", "status of pods only", true, ROUNDS));
        return new StreamReport(
                "stream",
                "2026-11-21T12:00:00Z",
                new Checkout("0123456789abcdef", false),
                new Machine(2, "A Processor", 16_384, 0.25, "Linux 6", "A JVM 25"),
                new StreamBenchOptions(150_000, 5_000, 1_000, 5, 3, 7),
                streams,
                StreamGoals.of(streams));
    }

    @Test
    void theTable() {
        assertThat(StreamTable.of(report())).isEqualTo("""
            150,000 pods, 5,000 nodes, seed 7; 3 rounds of 1,000 events after 5 to warm up; commit 0123456789
            2 cores (A Processor), 16 GiB, load 0.3 before; A JVM 25

            median (min-max)                       events a second            MB a second  garbage an event       bytes a frame
            decoder alone     status of pods only  200,000 (100,000-250,000)  1,600        300 B (200 B-2,000 B)  8,000
            feed and engine   status of pods only  200,000 (100,000-250,000)  1,600        300 B (200 B-2,000 B)  8,000

                 figure                                                  goal        beyond      measured
            P11  feed and engine, status of pods only, events a second   >= 100,000  >= 250,000  200,000   met
            P11  feed and engine, status of pods only, garbage an event  <= 1,024 B  <= 256 B    300 B     met\
            """);
    }

    @Test
    void theFileHoldsEverySample() throws Exception {
        JsonNode json = new ObjectMapper().readTree(ReportFile.json(report()));

        assertThat(json.at("/streams/1/rounds")).hasSize(3);
        assertThat(json.at("/streams/1/rounds/1/collecting").asDouble()).isEqualTo(1_000);
        assertThat(json.at("/options/seed").asInt()).isEqualTo(7);
        assertThat(json.at("/checkout/commit").asText()).isEqualTo("0123456789abcdef");
        assertThat(json.at("/goals")).hasSize(2);
    }
}
