package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.scenario.OperatorProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Starts operators in the filled cluster, and measures each until it knows the ledger. */
record LedgerStarts(BenchEnvironment environment) {
    private static final Duration LONGEST_RECALL = Duration.ofMinutes(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

    /** How long an operator runs on after its start, so that the first writes of all clocks count for its memory. */
    private static final Duration AFTER_START = Duration.ofSeconds(15);

    private static final String ENFORCE = "maxMode: Enforce";
    private static final String AUDIT = "maxMode: Audit";
    private static final double MILLIS = 1e3;

    /** Starts the operator several times, and returns the measurements in order. */
    List<LedgerStart> empty(int times) throws InterruptedException {
        List<LedgerStart> starts = new ArrayList<>();
        for (int i = 1; i <= times; i++) {
            starts.add(withLedger("operator-empty-ledger-" + i));
        }
        return starts;
    }

    /** Starts the operator with the present ledger and without one, alternately, and adds the measurements. */
    void alternately(int times, List<LedgerStart> full, List<LedgerStart> none) throws InterruptedException {
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

    private LedgerStart withLedger(String name) throws InterruptedException {
        environment.progress().say("starting " + name);
        BenchEnvironment.Started started = environment.startOperator(name);
        try (OperatorProcess operator = started.process()) {
            return measured(operator, started, List.of(awaitRecall(operator, started.at())));
        }
    }

    /** An operator that may only audit neither reads nor writes the ledger. */
    private LedgerStart withoutLedger(String name) throws InterruptedException {
        environment.progress().say("starting " + name);
        String config = environment.chart().config();
        if (!config.contains(ENFORCE)) {
            throw new BenchException("the chart's configuration has no line \"" + ENFORCE + "\" to replace");
        }
        BenchEnvironment.Started started = environment.startOperator(name, config.replace(ENFORCE, AUDIT));
        try (OperatorProcess operator = started.process()) {
            return measured(operator, started, List.of());
        }
    }

    private LedgerStart measured(
            OperatorProcess operator, BenchEnvironment.Started started, List<LedgerStart.Recall> recall)
            throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(AFTER_START.toNanos());
        double peak = ProcessFigures.of(operator.pid()).peakMiB();
        environment.stop(operator);
        return new LedgerStart(started.millis() / MILLIS, recall, peak);
    }

    private LedgerStart.Recall awaitRecall(OperatorProcess operator, Instant start) throws InterruptedException {
        LedgerRecall recall = new LedgerRecall(environment, operator);
        Instant latest = start.plus(LONGEST_RECALL);
        while (environment.clock().instant().isBefore(latest)) {
            Optional<LedgerRecall.Times> times = recall.times();
            if (times.isPresent()) {
                Instant leading = times.get().leading();
                return new LedgerStart.Recall(
                        seconds(leading, times.get().read()),
                        seconds(leading, times.get().recalled()),
                        seconds(start, times.get().recalled()));
            }
            TimeUnit.NANOSECONDS.sleep(POLL_INTERVAL.toNanos());
        }
        throw new BenchException("the operator did not recall the ledger within " + LONGEST_RECALL.toSeconds() + " s");
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / MILLIS;
    }
}
