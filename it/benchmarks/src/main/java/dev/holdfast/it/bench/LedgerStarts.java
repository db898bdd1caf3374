package dev.holdfast.it.bench;

import dev.holdfast.it.bench.LedgerMeasurements.Recall;
import dev.holdfast.it.bench.LedgerMeasurements.Start;
import dev.holdfast.it.bench.measure.LeaderLog;
import dev.holdfast.it.bench.measure.LedgerContents;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.controlplane.AuditRecord;
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
    private static final double NANOS = 1e9;

    /** Starts the operator several times, and returns the measurements in order. */
    List<Start> empty(int times) throws InterruptedException {
        List<Start> starts = new ArrayList<>();
        for (int i = 1; i <= times; i++) {
            starts.add(withLedger("operator-empty-ledger-" + i));
        }
        return starts;
    }

    /** Starts the operator with the present ledger and without one, alternately, and adds the measurements. */
    void alternately(int times, List<Start> full, List<Start> none) throws InterruptedException {
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
        environment.say("starting " + name);
        BenchEnvironment.Started started = environment.startOperator(name);
        try (OperatorProcess operator = started.process()) {
            environment.await(
                    name + " recalls the ledger",
                    LONGEST_RECALL,
                    POLL_INTERVAL,
                    () -> recall(environment, operator).isPresent());
            Times times = recall(environment, operator).orElseThrow();
            Recall recall = new Recall(
                    seconds(times.leading(), times.read()),
                    seconds(times.leading(), times.recalled()),
                    seconds(started.at(), times.recalled()));
            return measured(started, List.of(recall));
        }
    }

    /** An operator that may only audit neither reads nor writes the ledger. */
    private Start withoutLedger(String name) throws InterruptedException {
        environment.say("starting " + name);
        String config = environment.chart().config();
        if (!config.contains(ENFORCE)) {
            throw new IllegalStateException("the chart's configuration has no line \"" + ENFORCE + "\" to replace");
        }
        BenchEnvironment.Started started = environment.startOperator(name, config.replace(ENFORCE, AUDIT));
        try (OperatorProcess _ = started.process()) {
            return measured(started, List.of());
        }
    }

    private Start measured(BenchEnvironment.Started started, List<Recall> recall) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(AFTER_START.toNanos());
        double peak = ProcessFigures.of(started.process().pid()).peakMiB();
        environment.stop(started.process());
        return new Start(started.seconds(), recall, peak);
    }

    static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / NANOS;
    }

    /**
     * When an operator recalled the ledger.
     *
     * @param recalled when the API server received the first write of the ledger after that. The operator writes only
     * what it has taken over, and does so at once
     */
    record Times(Instant leading, Instant read, Instant recalled) {}

    /** {@return the times of the operator; empty until it has recalled the ledger. No other may lead after it} */
    static Optional<Times> recall(BenchEnvironment environment, OperatorProcess operator) {
        LeaderLog log = LeaderLog.of(operator.log(), "");
        return log.leading()
                .flatMap(leading -> log.read()
                        .flatMap(read -> firstWrite(
                                        environment.trail().records(),
                                        environment.chart().user(),
                                        leading)
                                .map(recalled -> new Times(leading, read, recalled))));
    }

    /** {@return when the API server received the first write of the ledger that succeeded, from an instant on} */
    static Optional<Instant> firstWrite(List<AuditRecord> records, String user, Instant from) {
        return records.stream()
                .filter(record -> record.user().equals(user)
                        && record.verb().equals("update")
                        && record.resource().equals("configmaps")
                        && LedgerContents.isPart(record.name())
                        && record.tookEffect())
                .map(AuditRecord::received)
                .filter(at -> !at.isBefore(from))
                .findFirst();
    }
}
