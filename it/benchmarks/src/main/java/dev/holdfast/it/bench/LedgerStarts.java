package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.LeaderLog;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.it.scenario.OperatorProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Starts operators in the filled cluster, and measures each until it has read the ledger. */
final class LedgerStarts {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

    /** How long an operator runs on after its start, so that the first writes of all clocks count for its memory. */
    private static final Duration AFTER_START = Duration.ofSeconds(15);

    private static final String ENFORCE = "maxMode: Enforce";
    private static final String AUDIT = "maxMode: Audit";
    private static final String SECTION = "start";

    private final BenchEnvironment environment;
    private final List<Start> empty = new ArrayList<>();
    private final List<Start> full = new ArrayList<>();
    private final List<Start> none = new ArrayList<>();

    LedgerStarts(BenchEnvironment environment) {
        this.environment = environment;
    }

    /**
     * One start of the operator.
     *
     * @param readySeconds from the start of the process to the first 200 from /readyz
     * @param readSeconds from when it leads until it has read the ledger; 0 for an operator that keeps none
     * @param peakMiB the peak of resident memory until some seconds after the start
     */
    private record Start(double readySeconds, double readSeconds, double peakMiB) {}

    /** Starts the operator several times, while the ledger has no clocks and there are no violations. */
    void withoutClocks(int times) throws InterruptedException {
        for (int i = 1; i <= times; i++) {
            empty.add(withLedger("operator-empty-ledger-" + i));
        }
    }

    /** Starts the operator with the present ledger and without one, alternately. */
    void withClocks(int times) throws InterruptedException {
        for (int i = 1; i <= times; i++) {
            if (i % 2 == 1) {
                none.add(withoutLedger("operator-no-ledger-" + i));
                full.add(withLedger("operator-full-ledger-" + i));
            } else {
                full.add(withLedger("operator-full-ledger-" + i));
                none.add(withoutLedger("operator-no-ledger-" + i));
            }
        }
    }

    private Start withLedger(String name) throws InterruptedException {
        BenchEnvironment.Started started =
                environment.startOperator(name, environment.chart().config());
        OperatorProcess operator = started.process();
        try (operator) {
            environment.await(
                    name + " reads the ledger",
                    POLL_INTERVAL,
                    () -> read(operator).isPresent());
            return measured(started, read(operator).orElseThrow());
        }
    }

    private static Optional<Double> read(OperatorProcess operator) {
        LeaderLog log = LeaderLog.of(operator.log(), "");
        return log.leading().flatMap(leading -> log.read().map(read -> BenchEnvironment.seconds(leading, read)));
    }

    /** An operator that may only audit neither reads nor writes the ledger. */
    private Start withoutLedger(String name) throws InterruptedException {
        String config = environment.chart().config();
        if (!config.contains(ENFORCE)) {
            throw new IllegalStateException("the chart's configuration has no line \"" + ENFORCE + "\" to replace");
        }
        BenchEnvironment.Started started = environment.startOperator(name, config.replace(ENFORCE, AUDIT));
        try (OperatorProcess _ = started.process()) {
            return measured(started, 0);
        }
    }

    private Start measured(BenchEnvironment.Started started, double readSeconds) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(AFTER_START.toNanos());
        double peak = ProcessFigures.of(started.process().pid()).peakMiB();
        environment.stop(started.process());
        return new Start(started.seconds(), readSeconds, peak);
    }

    /** Adds the figures of all starts to the report. */
    void report(Report report) {
        Figure peakFull = peak("full ledger", full);
        Figure peakNone = peak("the same violations, no ledger", none);
        Figure readyFull = ready("full ledger", full);
        Figure readyEmpty = ready("without clocks", empty);
        Figure readyNone = ready("the same violations, no ledger", none);
        report.add(
                peakFull.atMost(320),
                peak("without clocks", empty),
                peakNone,
                Figure.ratio(SECTION, "peak, full ledger relative to none", peakFull.value(), peakNone.value()),
                readyFull,
                readyEmpty,
                readyNone,
                Figure.ratio(
                        SECTION,
                        "start to ready, full ledger relative to one without clocks",
                        readyFull.value(),
                        readyEmpty.value()),
                read("full ledger", report.raw("starts, full ledger", full)),
                read("without clocks", report.raw("starts, without clocks", empty)));
        var _ = report.raw("starts, no ledger", none);
    }

    private static Figure peak(String what, List<Start> starts) {
        return Figure.median(SECTION, "peak of resident memory, " + what, starts, Start::peakMiB, Unit.MEBIBYTES);
    }

    private static Figure ready(String what, List<Start> starts) {
        return Figure.median(SECTION, "start to ready, " + what, starts, Start::readySeconds, Unit.SECONDS);
    }

    private static Figure read(String what, List<Start> starts) {
        return Figure.median(SECTION, "leading to ledger read, " + what, starts, Start::readSeconds, Unit.SECONDS);
    }
}
