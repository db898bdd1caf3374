package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.cluster.Patches;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.LedgerContents;
import dev.holdfast.it.bench.measure.LedgerWatch;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.ProcessPeak;
import dev.holdfast.it.scenario.OperatorProcess;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Measures one operator without clocks, with clocks, and while violations begin and heal. */
record LedgerPeriods(BenchEnvironment environment, LedgerOptions options, LedgerWatch watch, BenchPolicy policy) {
    /** The rate of requests that make or revert a change. Each change causes about two violations. */
    private static final double REQUESTS_PER_SECOND = 20;

    private static final double NANOS = 1e9;

    /**
     * What was measured.
     *
     * @param contents what the ledger held after the quiet period
     */
    record Measured(LedgerMeasurements.Periods periods, LedgerContents contents) {}

    /** What happens in a period. */
    @FunctionalInterface
    private interface Happening {
        void pass() throws InterruptedException;
    }

    Measured measure(ClockChanges changes) throws InterruptedException, IOException {
        BenchEnvironment.Started started = environment.startOperator("operator-periods");
        try (OperatorProcess operator = started.process()) {
            awaitViolating(0);
            QuietMinutes.settle(environment, Set.of());
            LedgerPeriod without = period(operator, 0, () -> environment.stayQuiet(options.minutes()));
            environment.progress().say("breaking rules, so that " + changes.violations() + " clocks run");
            ChangeCommitter committer = new ChangeCommitter(new Patches(environment.client()), environment.clock());
            for (int i = 0; i < changes.lasting().size(); i++) {
                var _ = committer.plant(i, changes.lasting().get(i), ChangeStep.BREAK);
            }
            awaitViolating(changes.violations());
            QuietMinutes.settle(environment, Set.of(LedgerPeriod.WRITE));
            LedgerPeriod quiet = period(operator, 0, () -> environment.stayQuiet(options.minutes()));
            LedgerContents contents = LedgerContents.read(
                    environment.client(), environment.chart().namespace());
            LedgerPeriod changing = changing(operator, committer, changes);
            awaitViolating(changes.violations());
            environment.stop(operator);
            return new Measured(
                    new LedgerMeasurements.Periods(changes.violations(), without, quiet, changing), contents);
        }
    }

    private LedgerPeriod changing(OperatorProcess operator, ChangeCommitter committer, ClockChanges changes)
            throws InterruptedException {
        List<PlannedChange> passing =
                changes.passing((int) Math.ceil(options.churnSeconds() * REQUESTS_PER_SECOND / 2));
        environment.progress().say(passing.size() + " changes break rules and are reverted");
        return period(operator, ClockChanges.violations(passing), () -> {
            var _ = committer.steadily(passing, REQUESTS_PER_SECOND);
        });
    }

    private void awaitViolating(int violating) throws InterruptedException {
        new ScaleRounds(environment, options.pods(), violating, Set.of()).awaitComplete(policy);
    }

    /** @param violations how many violations begin in the period */
    private LedgerPeriod period(OperatorProcess operator, int violations, Happening happening)
            throws InterruptedException {
        Instant from = environment.clock().instant();
        double cpuBefore = ProcessFigures.of(operator.pid()).cpuSeconds();
        try (ProcessPeak.Watch peak = new ProcessPeak.Watch(operator.pid())) {
            happening.pass();
            Instant to = environment.clock().instant();
            double resident = peak.peak().residentMiB();
            ProcessFigures figures = ProcessFigures.of(operator.pid());
            double seconds = Duration.between(from, to).toNanos() / NANOS;
            // The audit log has no watch that is still open; it does have the writes.
            ApiCalls calls = environment.calls(environment.chart().user(), from, to);
            return new LedgerPeriod(
                    violations / seconds,
                    watch.writes(from, to),
                    calls,
                    (figures.cpuSeconds() - cpuBefore) / seconds,
                    resident,
                    figures.peakMiB());
        }
    }
}
