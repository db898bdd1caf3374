package dev.holdfast.it.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.bench.ScaleMeasurements.AllViolating;
import dev.holdfast.it.bench.ScaleMeasurements.ChurnCost;
import dev.holdfast.it.bench.ScaleMeasurements.ClusterRead;
import dev.holdfast.it.bench.ScaleMeasurements.CurlRead;
import dev.holdfast.it.bench.ScaleMeasurements.Round;
import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.Sample;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.RunInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The figures that the scale bench computes from its measurements. */
class ScaleMeasurementsTest {
    private static List<Sample> changes(double recorded) {
        return List.of(sample(ChangeStep.BREAK, recorded), sample(ChangeStep.HEAL, 2 * recorded));
    }

    private static Sample sample(ChangeStep step, double recorded) {
        return new Sample(0, step, "NodeAffinity", "n1", 3, Instant.EPOCH, 5, 4, recorded, recorded);
    }

    private static Round round(double seconds, boolean peer) {
        return new Round(
                new CurlRead(4, 1_200L << 20, 4),
                new ClusterRead(seconds, 240, 6, 4.4, 900, 0),
                peer ? List.of(new ClusterRead(35, 4_800, 46, 12, 600, 1)) : List.of());
    }

    private static Report report(boolean peer, ApiCalls... quiet) {
        ScaleMeasurements measured = new ScaleMeasurements(
                8_100.4,
                900,
                List.of(1.1, 1.3),
                List.of(round(6, peer), round(5, peer), round(9, peer)),
                new ProcessFigures(230, 250, 20),
                changes(7),
                changes(60),
                List.of(new ChurnCost(20, 17, 60, 0.02), new ChurnCost(1_000, 17, 60, 0.6)),
                new AllViolating(150_000, 330, 448),
                List.of(quiet));
        Report report = new Report(new RunInfo("it/bench scale", "2026-11-20T12:00:00Z", "0123456789", "A machine"));
        measured.figures().forEach(report::add);
        return report;
    }

    @Test
    void theTable() {
        assertThat(report(true, new ApiCalls(60, Map.of("update leases", 30))).text())
                .isEqualTo("""
                    it/bench scale
                    commit 0123456789, 2026-11-20T12:00:00Z
                    A machine

                              FIGURE                                                      MEASURED    GOAL         STRETCH                         SAMPLES
                    reads     a pod in protobuf                                           8,100 B
                    reads     pods in violation                                           900
                    reads     curl lists all pods                                         4 s                                                      4 s to 4 s in 3; 1,200 MiB
                    reads     curl, CPU of kube-apiserver                                 4 s                                                      4 s to 4 s in 3
                    reads     Holdfast, whole cluster                                     6 s                                                      5 s to 9 s in 3
                    reads     Holdfast, CPU                                               6 s                                                      6 s to 6 s in 3
                    reads     Holdfast, CPU of kube-apiserver                             4.4 s                                                    4.4 s to 4.4 s in 3
                    reads     Holdfast, peak of resident memory                           240 MiB                                                  240 MiB to 240 MiB in 3
                    reads     Holdfast, pods in violation found                           900                                                      900 to 900 in 3
                    reads     Holdfast, others found                                      0                                                        0 to 0 in 3
                    reads     descheduler, whole cluster                                  35 s                                                     35 s to 35 s in 3
                    reads     descheduler, CPU                                            46 s                                                     46 s to 46 s in 3
                    reads     descheduler, CPU of kube-apiserver                          12 s                                                     12 s to 12 s in 3
                    reads     descheduler, peak of resident memory                        4,800 MiB                                                4,800 MiB to 4,800 MiB in 3
                    reads     descheduler, nodes with such pods found                     600                                                      600 to 600 in 3
                    reads     descheduler, others found                                   1                                                        1 to 1 in 3
                    changes   change to a bare watch, 20 a second, median                 4 ms                                                     p50 4.0, p90 4.0, p99 4.0, max 4.0 ms; 1 changes, 3 violations
                    changes   change to recorded, 20 a second, median                     7 ms                                                     p50 7.0, p90 7.0, p99 7.0, max 7.0 ms
                    changes   change to a bare watch, 200 a second, median                4 ms                                                     p50 4.0, p90 4.0, p99 4.0, max 4.0 ms; 1 changes, 3 violations
                    changes   change to recorded, 200 a second, median                    60 ms                                                    p50 60.0, p90 60.0, p99 60.0, max 60.0 ms
                    P5        change to recorded above a bare watch, 20 a second, p99     3 ms        <= 10 ms     <= 2 ms      met                p50 3.0, p90 3.0, p99 3.0, max 3.0 ms
                    P5        change to recorded above a bare watch, 200 a second, p99    56 ms       <= 50 ms     <= 10 ms     MISSED             p50 56.0, p90 56.0, p99 56.0, max 56.0 ms
                    P6        descheduler run relative to a recorded change, medians      5,000x      >= 100x      >= 1,000x    met, stretch too
                    P7        start to first complete evaluation, median                  6 s         <= 10 s                   met                5 s to 9 s in 3
                    P7        first evaluation relative to curl's list                    1.5x                     <= 1.5x      stretch met
                    P7        first evaluation relative to the descheduler's run          0.17x       <= 0.33x     <= 0.33x     met, stretch too
                    P8        peak of resident memory, everything listed twice            250 MiB     <= 320 MiB   <= 256 MiB   met, stretch too
                    P8        the descheduler's peak relative to that                     19.2x       >= 12x       >= 18x       met, stretch too
                    P10       CPU at 20 pod and 17 node events a second                   2 %         <= 3 %       <= 1 %       met
                    P10       CPU at 1000 pod and 17 node events a second                 60 %        <= 50 %      <= 20 %      MISSED
                    P14       kube-apiserver's CPU for a start relative to one list       1.1x        <= 1.2x      <= 1.2x      met, stretch too
                    P14       requests in quiet minutes except lease and watch renewals   0           <= 0         <= 0         met, stretch too
                    R17       peak of resident memory, 150,000 violations at once         330 MiB     <= 448 MiB                met
                    P15       start to ready, empty cluster, median                       1.1 s       <= 3 s       <= 1.2 s     met, stretch too   1.1 s to 1.3 s in 2\
                    """);
    }

    @Test
    void withoutADeschedulerAndQuietMinutesTheirFiguresAreLeftOut() {
        assertThat(report(false).figures())
                .filteredOn(figure -> !figure.verdict().isEmpty())
                .extracting(Figure::section)
                .containsExactly("P5", "P5", "P7", "P7", "P8", "P10", "P10", "P14", "R17", "P15");
        assertThat(report(false).text()).doesNotContain("descheduler", "quiet");
    }

    @Test
    void aRequestInTheQuietMinutesMissesTheTargetAndIsNamed() {
        ApiCalls calls =
                new ApiCalls(600, Map.of("update leases", 300, "watch pods", 2, "create selfsubjectaccessreviews", 10));

        assertThat(report(false, calls).figures())
                .filteredOn(figure -> figure.section().equals("P14"))
                .last()
                .satisfies(figure -> {
                    assertThat(figure.verdict()).isEqualTo("MISSED");
                    assertThat(figure.value()).isEqualTo(10);
                    assertThat(figure.note()).isEqualTo("{create selfsubjectaccessreviews=10}");
                });
    }
}
