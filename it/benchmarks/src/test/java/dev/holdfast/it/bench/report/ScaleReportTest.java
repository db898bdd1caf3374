package dev.holdfast.it.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.Sample;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a report at scale looks like, as a file and as a table. */
class ScaleReportTest {
    private static ChangeFigures changes(double recorded) {
        return ChangeFigures.of(List.of(
                sample("BREAK", "2026-11-20T12:00:00Z", recorded), sample("HEAL", "2026-11-20T12:00:01Z", recorded)));
    }

    private static Sample sample(String step, String sent, double recorded) {
        return new Sample(0, step, "NodeAffinity", "n1", 3, sent, 5, 4, recorded, recorded);
    }

    private static ScaleRound round(double seconds, boolean peer) {
        return new ScaleRound(
                new FloorFigures(4, 1_200L << 20, 4),
                new LookFigures(seconds, 240, 6, 4.4, 900, 0),
                peer ? List.of(new LookFigures(35, 4_800, 46, 12, 600, 1)) : List.of());
    }

    private static ScaleReport report(boolean peer) {
        ScaleBenchOptions options = new ScaleBenchOptions(5_000, 150_000, 3, 200, 2, 1, 60, 1, peer, 1);
        ScaleFigures figures = new ScaleFigures(
                List.of("-XX:+UseSerialGC"),
                8_100.4,
                900,
                Starts.of(List.of(1_100.0, 1_300.0)),
                List.of(round(6, peer), round(5, peer), round(9, peer)),
                new ProcessFigures(230, 250, 20),
                changes(7),
                changes(60),
                List.of(new ChurnCost(20, 17, 60, 0.02), new ChurnCost(1_000, 17, 60, 0.6)),
                peer ? List.of(new ApiCalls(60, Map.of("update leases", 30))) : List.of());
        return new ScaleReport(
                "scale",
                "2026-11-20T12:00:00Z",
                new Checkout("0123456789abcdef", false),
                new Machine(2, "A Processor", 16_384, 0.25, "Linux 6", "A JVM 25"),
                options,
                figures,
                ScaleGoals.of(options, figures));
    }

    @Test
    void theTable() {
        assertThat(ScaleTable.of(report(true))).isEqualTo("""
            5,000 nodes, 150,000 pods of 8,100 bytes, 900 of them in violation, 3 rounds; commit 0123456789
            2 cores (A Processor), 16 GiB, load 0.3 before; A JVM 25

            one look at everything, median (min-max)                curl, 1,200 MiB  Holdfast       descheduler
            seconds                                                 4.0 (4.0-4.0)    6.0 (5.0-9.0)  35.0 (35.0-35.0)
            CPU seconds                                                              6.0 (6.0-6.0)  46.0 (46.0-46.0)
            CPU seconds of kube-apiserver                           4.0 (4.0-4.0)    4.4 (4.4-4.4)  12.0 (12.0-12.0)
            peak of memory, MiB                                                      240 (240-240)  4,800 (4,800-4,800)
            pods in violation (the descheduler: their nodes) found                   900 (900-900)  600 (600-600)
            others found                                                             0 (0-0)        1 (1-1)

            Holdfast, ms: p50 / p90 / p99 / max  20 a second            200 a second
            changes, violations                  1, 3                   1, 3
            change to a bare watch               4.0 / 4.0 / 4.0 / 4.0  4.0 / 4.0 / 4.0 / 4.0
            change to recorded                   7.0 / 7.0 / 7.0 / 7.0  60.0 / 60.0 / 60.0 / 60.0
            above the bare watch                 3.0 / 3.0 / 3.0 / 3.0  56.0 / 56.0 / 56.0 / 56.0

                 figure                                                          goal        beyond      measured
            P5   change to recorded above a bare watch, 20 a second, p99         <= 10.0 ms  <= 2.0 ms   3.0 ms    met
            P5   the same, 200 a second                                          <= 50.0 ms  <= 10.0 ms  56.0 ms   MISSED
            P6   one look of the descheduler to a change recorded, medians       >= 100x     >= 1,000x   5,000x    met, beyond too
            P7   start to first complete evaluation, median                      <= 10.0 s               6.0 s     met, beyond too
            P7   the same, to the floor of the same run                                      <= 1.50x    1.50x     beyond met
            P7   the same, to the descheduler's one look                         <= 0.33x    <= 0.33x    0.17x     met, beyond too
            P8   peak of resident memory, everything listed twice                <= 320 MiB  <= 256 MiB  250 MiB   met, beyond too
            P8   the descheduler's to that                                       >= 12.0x    >= 18.0x    19.2x     met, beyond too
            P10  CPU at 20 pod and 17 node events a second                       <= 3.0 %    <= 1.0 %    2.0 %     met
            P10  CPU at 1000 pod and 17 node events a second                     <= 50.0 %   <= 20.0 %   60.0 %    MISSED
            P14  kube-apiserver's CPU for a start, to one list                   <= 1.20x    <= 1.20x    1.10x     met, beyond too
            P14  requests in quiet minutes beside renewals of lease and watches  none        none        none      met, beyond too
            P15  start to ready, empty cluster, median                           <= 3.00 s   <= 1.20 s   1.10 s    met, beyond too\
            \
            """);
    }

    @Test
    void withoutADeschedulerAndQuietMinutesWhatIsSaidOfThemIsLeftOut() {
        assertThat(report(false).goals())
                .extracting(FigureGoal::section)
                .containsExactly("P5", "P5", "P7", "P7", "P8", "P10", "P10", "P14", "P15");
    }

    @Test
    void theFileHoldsAllThatWasMeasuredOfEveryRound() throws Exception {
        JsonNode json = new ObjectMapper().readTree(ReportFile.json(report(true)));

        assertThat(json.at("/figures/rounds")).hasSize(3);
        assertThat(json.at("/figures/rounds/0").toString())
                .isEqualTo("{\"floor\":{\"seconds\":4.0,\"bytes\":1258291200,\"serverCpuSeconds\":4.0},"
                               + "\"holdfast\":{\"seconds\":6.0,\"peakMiB\":240.0,\"cpuSeconds\":6.0,\"serverCpuSeconds\":4.4,"
                               + "\"found\":900,\"unplanted\":0},"
                               + "\"peer\":[{\"seconds\":35.0,\"peakMiB\":4800.0,\"cpuSeconds\":46.0,\"serverCpuSeconds\":12.0,"
                               + "\"found\":600,\"unplanted\":1}]}");
        assertThat(json.at("/goals")).hasSize(13);
    }
}
