package dev.holdfast.it.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.Sample;
import dev.holdfast.it.bench.measure.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What a report looks like, as a file and as a table. */
class OperatorReportTest {
    private static final ApiCalls QUIET = new ApiCalls(600, Map.of("update leases", 300, "watch pods", 2));

    private static Sample sample(int change, String step, double watched, double recorded) {
        String sent = "2026-11-20T12:00:0" + change + (step.equals("BREAK") ? ".000Z" : ".500Z");
        return new Sample(change, step, "NodeAffinity", "n1", 3, sent, 5, watched, recorded - 1, recorded);
    }

    private static ChangeFigures changes() {
        return ChangeFigures.of(List.of(
                sample(0, "BREAK", 4, 6), sample(0, "HEAL", 3, 4), sample(1, "BREAK", 5, 66), sample(1, "HEAL", 3, 4)));
    }

    private static HoldfastFigures holdfast(ApiCalls quiet) {
        return new HoldfastFigures(
                List.of("-XX:+UseSerialGC"),
                Starts.of(List.of(2_400.0, 2_100.0, 2_900.0)),
                3_210,
                new ProcessFigures(140.2, 150, 6),
                new ProcessFigures(151, 155.4, 9),
                new ProcessFigures(149, 156, 10),
                changes(),
                quiet);
    }

    private static PeerFigures peer() {
        Sample noticed = sample(0, "BREAK", 4, 2_500);
        return new PeerFigures(
                "descheduler",
                "v0.36.0",
                5,
                new ProcessFigures(90, 95, 1),
                new ProcessFigures(92, 99, 4),
                Summary.of(List.of(noticed.watched())),
                Summary.of(List.of(noticed.recorded())),
                List.of("TopologySpread"),
                List.of(noticed),
                new ApiCalls(120, Map.of("watch pods", 1, "list nodes", 4)));
    }

    private static OperatorReport report(ApiCalls quiet, List<PeerFigures> peers) {
        return new OperatorReport(
                "operator",
                "2026-11-20T12:00:00Z",
                new Checkout("0123456789abcdef", true),
                new Machine(2, "A Processor", 16_384, 0.25, "Linux 6", "A JVM 25"),
                new OperatorBenchOptions(100, 3_000, 3, 2, 20, 10, true, 1, 2, 1),
                2_300,
                holdfast(quiet),
                peers,
                OperatorReport.goals(holdfast(quiet)));
    }

    @Test
    void theTable() {
        assertThat(ReportTable.of(report(QUIET, List.of(peer())))).isEqualTo("""
            100 nodes, 3,000 pods, 2,300 of them with rules; commit 0123456789 with changes
            2 cores (A Processor), 16 GiB, load 0.3 before; A JVM 25

                                                       Holdfast                               descheduler v0.36.0
            start to ready, empty cluster, ms          2,400 (2,100-2,900 of 3)               -
            start to ready, full cluster, ms           3,210                                  -
            resident memory after sync, MiB            140 (peak 150)                         90 (peak 95)
            resident memory after the changes, MiB     151 (peak 155)                         92 (peak 99)
            changes, how they came                     4 at 2.0 a second, 6 violations        1 one by one
            change to bare watch, ms                   p50 4.0  p90 5.0  p99 5.0  max 5.0     p50 4.0  p90 4.0  p99 4.0  max 4.0
            change to recorded (peer: noticed), ms     p50 6.0  p90 66.0  p99 66.0  max 66.0  p50 2,500  p90 2,500  p99 2,500  max 2,500
              above the bare watch                     p50 2.0  p90 61.0  p99 61.0  max 61.0  -
            healing to recorded, above the bare watch  p50 1.0  p90 1.0  p99 1.0  max 1.0     -
            changes not noticed                        0                                      [TopologySpread]
            quiet, minutes                             10.0                                   2.0
              lease renewals                           300                                    0
              watch renewals                           2                                      1
              other requests                           none                                   4 list nodes

            goal                                                                                 seen
            start to ready, empty cluster, median                               at most 3 s      2,400 ms  met
            resident memory after the changes                                   at most 160 MiB  151 MiB   met
            change to recorded, above a bare watch, p99                         at most 50 ms    61.0 ms   MISSED
            requests in the quiet minutes beside renewals of lease and watches  none             none      met\
            """);
    }

    @Test
    void aRequestInTheQuietMinutesMissesTheGoal() {
        ApiCalls noisy = new ApiCalls(600, Map.of("update leases", 300, "create selfsubjectaccessreviews", 10));

        assertThat(OperatorReport.goals(holdfast(noisy)).getLast())
                .isEqualTo(new Goal(
                        "requests in the quiet minutes beside renewals of lease and watches",
                        "none",
                        "{create selfsubjectaccessreviews=10}",
                        false));
    }

    @Test
    void withoutAPeerItsColumnIsEmpty() {
        assertThat(ReportTable.of(report(QUIET, List.of())))
                .contains("quiet, minutes                             10.0                                   -\n");
    }

    @Test
    void theFileHoldsAllThatWasMeasuredWithEverySample() throws Exception {
        JsonNode json = new ObjectMapper().readTree(ReportFile.json(report(QUIET, List.of(peer()))));

        assertThat(fields(json))
                .containsExactly(
                        "bench",
                        "checkout",
                        "goals",
                        "holdfast",
                        "machine",
                        "options",
                        "peers",
                        "podsWithRules",
                        "started");
        assertThat(fields(json.path("holdfast")))
                .containsExactly(
                        "afterChanges",
                        "afterQuiet",
                        "afterSync",
                        "changes",
                        "flags",
                        "quiet",
                        "startOnEmpty",
                        "startOnFull");
        assertThat(json.at("/holdfast/startOnEmpty").toString())
                .isEqualTo("{\"summary\":{\"count\":3,\"min\":2100.0,\"p50\":2400.0,\"p90\":2900.0,\"p99\":2900.0,"
                        + "\"max\":2900.0},\"millis\":[2400.0,2100.0,2900.0]}");
        assertThat(json.at("/holdfast/changes/samples")).hasSize(4);
        assertThat(json.at("/holdfast/changes/samples/0").toString())
                .isEqualTo("{\"change\":0,\"step\":\"BREAK\",\"rule\":\"NodeAffinity\",\"target\":\"n1\","
                        + "\"violations\":3,\"sent\":\"2026-11-20T12:00:00.000Z\",\"answered\":5.0,\"watched\":4.0,"
                        + "\"firstRecorded\":5.0,\"recorded\":6.0}");
        assertThat(json.at("/holdfast/quiet/requests/update leases").asInt()).isEqualTo(300);
        assertThat(json.at("/peers/0/samples")).hasSize(1);
        assertThat(json.at("/checkout/commit").asText()).isEqualTo("0123456789abcdef");
    }

    private static List<String> fields(JsonNode json) {
        TreeSet<String> names = new TreeSet<>();
        json.fieldNames().forEachRemaining(names::add);
        return new ArrayList<>(names);
    }
}
