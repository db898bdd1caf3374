package dev.holdfast.it.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.bench.LedgerMeasurements.Period;
import dev.holdfast.it.bench.LedgerMeasurements.Recall;
import dev.holdfast.it.bench.LedgerMeasurements.Start;
import dev.holdfast.it.bench.LedgerMeasurements.Takeover;
import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.LedgerContents;
import dev.holdfast.it.bench.measure.LedgerWrites;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.RunInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The figures that the ledger bench computes from its measurements. */
class LedgerMeasurementsTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    private static Period period(double violations, int bytes, double cores, double resident) {
        LedgerWrites writes = new LedgerWrites(
                30,
                List.of(
                        new LedgerWrites.Write(NOON, "holdfast-ledger-7", bytes),
                        new LedgerWrites.Write(NOON.plusSeconds(4), "holdfast-ledger-7", bytes)));
        return new Period(
                violations, writes, new ApiCalls(30, Map.of("update configmaps", 3)), cores, resident, resident + 20);
    }

    private static Start start(double ready, double peak) {
        return new Start(ready, List.of(new Recall(0.25, ready - 1, ready + 0.5)), peak);
    }

    private static Takeover takeover(double decided) {
        return new Takeover(decided - 1, decided - 0.5, decided - 0.25, decided, 250, 240, 300, 270);
    }

    private static Report report(Takeover... ended) {
        LedgerMeasurements measured = new LedgerMeasurements(
                448,
                new LedgerContents(List.of(500, 40_000, 41_000, 200), List.of(2_400, 2_600)),
                5_000,
                new Period(0, new LedgerWrites(30, List.of()), new ApiCalls(30, Map.of()), 0.01, 200, 280),
                period(0, 300, 0.02, 210),
                period(22.5, 40_000, 0.2, 230),
                List.of(start(10, 270), start(11, 271)),
                List.of(start(12, 290), start(14, 300)),
                List.of(new Start(11, List.of(), 280), new Start(13, List.of(), 282)),
                2,
                List.of(takeover(14), takeover(18)),
                List.of(ended));
        Report report = new Report(new RunInfo("it/bench ledger", NOON.toString(), "0123456789", "A machine"));
        measured.figures().forEach(report::add);
        return report;
    }

    @Test
    void theTable() {
        assertThat(report(takeover(2), takeover(1)).text()).isEqualTo("""
            it/bench ledger
            commit 0123456789, 2026-11-20T12:00:00Z
            A machine

                              FIGURE                                                       MEASURED    GOAL         STRETCH               SAMPLES
            ledger            violations                                                   5,000
            ledger            clocks stored                                                5,000                                          2400 to 2600 in each of 2 parts
            ledger            all data stored                                              81,700 B                                       the largest of 4 ConfigMaps has 41,000 B
            memory            resident, without clocks                                     200 MiB                                        peak since the start 280 MiB
            memory            resident, clocks, quiet                                      210 MiB                                        peak since the start 230 MiB
            memory            resident, clocks, changes                                    230 MiB                                        peak since the start 250 MiB
            memory            resident, clocks relative to none, quiet                     1.05x
            memory            peak, clocks relative to none, quiet                         0.82x
            memory            peak after a start, ledger and cluster without clocks        270 MiB                                        270 MiB to 271 MiB in 2
            memory            peak after a start, the same violations, no ledger           280 MiB                                        280 MiB to 282 MiB in 2
            memory            peak after a start, full ledger                              290 MiB     <= 320 MiB   <= 256 MiB   met      290 MiB to 300 MiB in 2
            memory            peak after a start, full ledger relative to none             1.04x
            memory            most of all, below the limit of the chart                    300 MiB     <= 448 MiB                met
            without clocks    writes a minute                                              0                                              0 in 30 s; the audit log has 0
            without clocks    bytes written a minute                                       0 B
            without clocks    writes a minute of one ConfigMap, most                       0           <= 12                     met
            without clocks    CPU of a core                                                1 %
            clocks, quiet     writes a minute                                              4                                              2 in 30 s; the audit log has 3
            clocks, quiet     bytes written a minute                                       1,200 B
            clocks, quiet     writes a minute of one ConfigMap, most                       15          <= 12                     MISSED
            clocks, quiet     CPU of a core                                                2 %
            clocks, changes   violations that begin a second                               22.5                                           as many heal
            clocks, changes   writes a minute                                              4                                              2 in 30 s; the audit log has 3
            clocks, changes   bytes written a minute                                       160,000 B
            clocks, changes   writes a minute of one ConfigMap, most                       15          <= 12                     MISSED
            clocks, changes   CPU of a core                                                20 %
            start             start to ready, without clocks                               10 s                                           10 s to 11 s in 2
            start             start to ready, the same violations, no ledger               11 s                                           11 s to 13 s in 2
            start             start to ready, full ledger                                  12 s                                           12 s to 14 s in 2
            start             start to ready, full ledger relative to one without clocks   1.2x
            start             start to ready, full ledger relative to none                 1.09x
            start             leading to ledger read, without clocks                       0.25 s                                         0.25 s to 0.25 s in 2
            start             leading to ledger recalled, without clocks                   9 s                                            9 s to 10 s in 2
            start             start to ledger recalled, without clocks                     10.5 s                                         10.5 s to 11.5 s in 2
            start             leading to ledger read, full ledger                          0.25 s                                         0.25 s to 0.25 s in 2
            start             leading to ledger recalled, full ledger                      11 s                                           11 s to 13 s in 2
            start             start to ledger recalled, full ledger                        12.5 s                                         12.5 s to 14.5 s in 2
            P16               leader killed, takeovers measured                            2           >= 2                      met      of 2
            P16               leader killed to lease of the standby                        13 s                                           13 s to 17 s in 2
            P16               leader killed to ledger read                                 13.5 s                                         13.5 s to 17.5 s in 2
            P16               leader killed to ledger recalled                             13.8 s                                         13.8 s to 17.8 s in 2
            P16               leader killed to first decision, longest                     18 s        <= 17 s                   MISSED   median 14 s, 14 s to 18 s in 2
            P16               leader ended gracefully, takeovers measured                  2           >= 2                      met      of 2
            P16               leader ended gracefully to lease of the standby              0 s                                            0 s to 1 s in 2
            P16               leader ended gracefully to ledger read                       0.5 s                                          0.5 s to 1.5 s in 2
            P16               leader ended gracefully to ledger recalled                   0.75 s                                         0.75 s to 1.75 s in 2
            P16               leader ended gracefully to first decision, longest           2 s         <= 3 s                    met      median 1 s, 1 s to 2 s in 2
            standby           resident memory of the leader                                250 MiB                                        250 MiB to 250 MiB in 4
            standby           resident memory of the standby                               240 MiB                                        240 MiB to 240 MiB in 4
            standby           resident, standby relative to the leader                     0.96x
            standby           resident memory of the leader, peak                          300 MiB                                        300 MiB to 300 MiB in 4
            standby           resident memory of the standby, peak                         270 MiB                                        270 MiB to 270 MiB in 4\
            """);
    }

    @Test
    void takeoversThatWereNotMeasuredAreMissing() {
        assertThat(report().figures())
                .filteredOn(figure -> figure.name().startsWith("leader ended gracefully"))
                .singleElement()
                .satisfies(figure -> {
                    assertThat(figure.value()).isZero();
                    assertThat(figure.verdict()).isEqualTo("MISSED");
                });
    }
}
