package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.FilledCluster;
import dev.holdfast.it.bench.cluster.HostileKind;
import dev.holdfast.it.bench.cluster.HostileObjects;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.policies.rule.RuleKind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** The round of one kind in the hostile bench. Both operators are scraped all the time, as Prometheus would. */
record HostileRound(
        BenchEnvironment environment,
        HostileOptions options,
        FilledCluster cluster,
        BenchPolicy policy,
        HostileKind kind,
        HostileObjects objects) {
    private static final double PACE = 20;
    private static final Duration BETWEEN_WRITES = Duration.ofMillis(200);
    private static final Duration LONGEST_START = Duration.ofMinutes(5);
    private static final Duration LONGEST_READING = Duration.ofMinutes(20);

    /** An operator counts as busy if it uses at least this many CPU seconds per second. */
    private static final double BUSY = 0.2;

    private static final int QUIET_SECONDS = 3;
    private static final double MILLIS = 1e3;

    /** A measurement of an operator, which may end before it does. */
    @FunctionalInterface
    private interface Measurement<T> {
        T take() throws InterruptedException, IOException;
    }

    /** Creates the objects, measures both operators, deletes the objects, and returns the outcome. */
    HostileOutcome play() throws InterruptedException, IOException {
        List<HostileOutcome.Watching> watching;
        try (OperatorProcess operator =
                        environment.launchOperator("operator-watching-" + kind).process();
                Scraper _ = Scraper.start(operator)) {
            awaitEvaluated(operator);
            environment
                    .progress()
                    .say("writing " + options.objects() + " " + kind + " of " + objects.size() + " bytes");
            objects.create();
            watching = measured(() -> watching(operator));
        }
        List<HostileOutcome.Listing> listing = measured(this::listing);
        objects.delete();
        return new HostileOutcome(kind.toString(), objects.size(), watching, listing);
    }

    private <T> List<T> measured(Measurement<T> measurement) throws InterruptedException, IOException {
        try {
            T taken = measurement.take();
            environment.progress().say(kind + ": measured");
            return List.of(taken);
        } catch (BenchException | IllegalStateException e) {
            environment.progress().say(kind + ": " + e.getMessage());
            return List.of();
        }
    }

    private HostileOutcome.Watching watching(OperatorProcess operator) throws InterruptedException, IOException {
        awaitRest(operator);
        List<PlannedChange> changes = cluster.plannedChanges()
                .inTurns(
                        List.of(RuleKind.values()),
                        options.samples(),
                        ChangeCommitter.APART,
                        new Random(options.seed()));
        Thread writer = Thread.ofPlatform().name("writer-of-large-objects").start(this::writeAgain);
        try {
            ChangeLatencies latencies = new ChangeBench(environment).measure(operator, changes, PACE);
            double peak = ProcessFigures.of(operator.pid()).peakMiB();
            environment.stop(operator);
            return new HostileOutcome.Watching(peak, latencies);
        } finally {
            writer.interrupt();
            writer.join();
        }
    }

    /** Writes the objects again, one after the other, until the thread is interrupted. */
    private void writeAgain() {
        try {
            for (int turn = 1; ; turn++) {
                objects.touch(turn);
                TimeUnit.NANOSECONDS.sleep(BETWEEN_WRITES.toNanos());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            environment.progress().say("cannot write large objects again: " + e.getMessage());
        }
    }

    private HostileOutcome.Listing listing() throws InterruptedException {
        policy.delete();
        BenchPolicy.create(environment.client(), FilledCluster.namespaces());
        BenchEnvironment.Launched launched = environment.launchOperator("operator-listing-" + kind);
        try (OperatorProcess operator = launched.process();
                Scraper _ = Scraper.start(operator)) {
            awaitEvaluated(operator);
            double seconds = Duration.between(launched.at(), environment.clock().instant())
                            .toMillis()
                    / MILLIS;
            awaitRest(operator);
            double peak = ProcessFigures.of(operator.pid()).peakMiB();
            environment.stop(operator);
            return new HostileOutcome.Listing(seconds, peak);
        }
    }

    /**
     * Waits until the operator is ready and the policy's status counts at least the pods of the bench.
     *
     * @throws IllegalStateException if the operator ends meanwhile
     */
    private void awaitEvaluated(OperatorProcess operator) throws InterruptedException {
        Instant latest = environment.clock().instant().plus(LONGEST_START);
        while (!operator.isReady() || policy.selected() < options.pods()) {
            var _ = ProcessFigures.of(operator.pid());
            if (environment.clock().instant().isAfter(latest)) {
                throw new BenchException("the operator was not ready within " + LONGEST_START.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /**
     * Waits until the operator has read what was written: until it is not busy for some seconds.
     *
     * @throws IllegalStateException if the operator ends meanwhile
     */
    private void awaitRest(OperatorProcess operator) throws InterruptedException {
        Instant latest = environment.clock().instant().plus(LONGEST_READING);
        double before = ProcessFigures.of(operator.pid()).cpuSeconds();
        for (int quiet = 0; quiet < QUIET_SECONDS; ) {
            TimeUnit.SECONDS.sleep(1);
            double now = ProcessFigures.of(operator.pid()).cpuSeconds();
            quiet = now - before < BUSY ? quiet + 1 : 0;
            before = now;
            if (environment.clock().instant().isAfter(latest)) {
                throw new BenchException("the operator was still busy after " + LONGEST_READING.toSeconds() + " s");
            }
        }
    }
}
