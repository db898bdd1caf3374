package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.FilledCluster;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.it.bench.measure.LedgerContents;
import dev.holdfast.it.bench.measure.LedgerWatch;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.ProcessPeak;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.policies.rule.RuleKind;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.awaitility.core.ConditionTimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The bench {@code it/bench ledger}. It measures the operator, started as the chart starts it, while many clocks run:
 * what it writes and needs, how soon it goes on after a restart, and how soon a standby takes over.
 */
@Command(
        name = "ledger",
        description = "Measures what the ledger costs the operator with 5,000 nodes, 150,000 pods and 5,000 running"
                + " clocks, and how soon a standby goes on after the leader was killed or has ended. About 45 minutes"
                + " and 20 GiB of memory by default; with --small about 15 minutes. Nothing else should run on the"
                + " machine meanwhile.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class LedgerBench extends ClusterBench {
    /** In a small cluster, the clocks are so large a part of the pods that the volume breaker would open. */
    private static final String WITHOUT_VOLUME_BREAKER = "config.breakers.volume.percent=100";

    /** Nodes keep their labels, because the label breaker would open. */
    private static final List<RuleKind> KINDS =
            List.of(RuleKind.POD_ANTI_AFFINITY, RuleKind.POD_AFFINITY, RuleKind.TOPOLOGY_SPREAD);

    /** The number of changes that are made and reverted, again and again. */
    private static final int PASSING = 50;

    /** The rate of requests that make or revert a change. Each change causes about two violations. */
    private static final double REQUESTS_PER_SECOND = 20;

    /** An object is written at most once in 5 s. */
    private static final double MOST_WRITES = 12;

    private static final int PERCENT = 100;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int SMALL_CLOCKS = 1_000;
    private static final int SMALL_ROUNDS = 2;
    private static final int SMALL_CHURN = 30;

    @Option(
            names = "--clocks",
            defaultValue = "5000",
            description = "Violations of an enforced rule, whose forgiveness is a day. Default: ${DEFAULT-VALUE}.")
    private int clocks;

    @Option(
            names = "--minutes",
            defaultValue = "2",
            description = "Minutes without a change in which writes are counted, once without and once with clocks."
                    + " Default: ${DEFAULT-VALUE}.")
    private double minutes;

    @Option(
            names = "--churn-seconds",
            defaultValue = "120",
            description = "Seconds in which about 20 violations a second begin and heal. Default: ${DEFAULT-VALUE}.")
    private int churnSeconds;

    LedgerBench(Path root, InstantSource clock) {
        super(root, clock);
    }

    @Override
    protected void measure(Report report) throws InterruptedException, IOException {
        if (makeSmall(SMALL_ROUNDS)) {
            clocks = SMALL_CLOCKS;
            minutes = 1;
            churnSeconds = SMALL_CHURN;
        }
        onControlPlane(environment -> measure(environment, report), ENFORCING, WITH_ALL_LINES, WITHOUT_VOLUME_BREAKER);
    }

    private void measure(BenchEnvironment environment, Report report) throws InterruptedException, IOException {
        FilledCluster cluster = environment.fill(nodes(), pods());
        List<PlannedChange> changes = cluster.plannedChanges().independent(KINDS, clocks + PASSING, new Random(1));
        int lasting = lasting(changes);
        BenchPolicy policy = BenchPolicy.create(environment.client());
        LedgerStarts starts = new LedgerStarts(environment);
        starts.withoutClocks(rounds());
        periods(
                environment,
                policy,
                changes.subList(0, lasting),
                changes.subList(lasting, Math.min(lasting + PASSING, changes.size())),
                report);
        starts.withClocks(rounds());
        starts.report(report);
        takeOver(environment, report);
    }

    /** {@return how many of the changes cause the violations for all clocks} */
    private int lasting(List<PlannedChange> changes) {
        int lasting = 0;
        for (int violations = 0; violations < clocks; lasting++) {
            if (lasting == changes.size()) {
                throw new IllegalArgumentException("the placement allows only " + violations
                        + " violations at once, not " + clocks + ": give more --nodes and --pods");
            }
            violations += changes.get(lasting).violations().size();
        }
        return lasting;
    }

    private static int violations(List<PlannedChange> changes) {
        return changes.stream().mapToInt(change -> change.violations().size()).sum();
    }

    /** Measures one operator in three periods: without clocks, with clocks, and while violations begin and heal. */
    private void periods(
            BenchEnvironment environment,
            BenchPolicy policy,
            List<PlannedChange> lasting,
            List<PlannedChange> passing,
            Report report)
            throws InterruptedException, IOException {
        KubernetesClient client = environment.client();
        String namespace = environment.chart().namespace();
        ChangeCommitter committer = new ChangeCommitter(client, clock());
        int violating = violations(lasting);
        try (LedgerWatch watch = LedgerWatch.open(client, namespace, clock());
                OperatorProcess operator =
                        environment.launchOperator("operator-periods").process()) {
            environment.awaitComplete(policy, pods(), 0);
            environment.settle(Set.of());
            Figure without = period("without clocks", operator, watch, report, () -> environment.stayQuiet(minutes));
            say("breaking rules, so that " + violating + " clocks run");
            for (PlannedChange change : lasting) {
                var _ = committer.commit(change, PlannedChange.Step.BREAK);
            }
            environment.awaitComplete(policy, pods(), violating);
            environment.settle(Set.of("update configmaps"));
            Figure quiet = period("clocks, quiet", operator, watch, report, () -> environment.stayQuiet(minutes));
            LedgerContents contents = LedgerContents.read(client, namespace);
            report.add(
                    Figure.of("ledger", "clocks stored", contents.clocks(), Unit.COUNT)
                            .noting("of " + violating),
                    Figure.of("ledger", "all data stored", contents.bytes(), Unit.BYTES),
                    Figure.ratio("ledger", "resident memory, clocks relative to none", quiet.value(), without.value()));
            int count = (int) Math.ceil(churnSeconds * REQUESTS_PER_SECOND / 2);
            say(count + " changes break rules and are reverted");
            var _ = period("clocks, changes", operator, watch, report, () -> {
                var _ = committer.steadily(passing, count, REQUESTS_PER_SECOND);
            });
            environment.awaitComplete(policy, pods(), violating);
            environment.stop(operator);
        }
    }

    /** What happens in a period. */
    @FunctionalInterface
    private interface Happening {
        void pass() throws InterruptedException;
    }

    /** Adds the figures of a period to the report, and returns the resident memory. */
    private Figure period(
            String section, OperatorProcess operator, LedgerWatch watch, Report report, Happening happening)
            throws InterruptedException {
        Instant from = clock().instant();
        double cpuBefore = ProcessFigures.of(operator.pid()).cpuSeconds();
        try (ProcessPeak peak = new ProcessPeak(operator.pid())) {
            happening.pass();
            Instant to = clock().instant();
            double seconds = BenchEnvironment.seconds(from, to);
            double cpu = ProcessFigures.of(operator.pid()).cpuSeconds() - cpuBefore;
            Figure resident = Figure.of(section, "resident memory", peak.residentMiB(), Unit.MEBIBYTES);
            List<LedgerWatch.Write> writes = report.raw("writes " + section, watch.writes(from, to));
            double bytes = writes.stream().mapToDouble(LedgerWatch.Write::bytes).sum();
            report.add(
                    resident,
                    Figure.of(section, "writes a minute", writes.size() * SECONDS_PER_MINUTE / seconds, Unit.COUNT),
                    Figure.of(section, "bytes written a minute", bytes * SECONDS_PER_MINUTE / seconds, Unit.BYTES),
                    Figure.of(
                                    section,
                                    "writes a minute of one ConfigMap, most",
                                    LedgerWatch.mostOfOneAMinute(writes),
                                    Unit.COUNT)
                            .atMost(MOST_WRITES),
                    Figure.of(section, "CPU of a core", PERCENT * cpu / seconds, Unit.PERCENT));
            return resident;
        }
    }

    /** Measures takeovers. If one cannot be measured, prints why, and the report says how many are missing. */
    private void takeOver(BenchEnvironment environment, Report report) throws InterruptedException {
        BenchPolicy due = BenchPolicy.impossible(environment.client(), FilledCluster.fewPods());
        Takeovers takeovers = new Takeovers(environment, due);
        try (takeovers) {
            takeovers.play(rounds());
        } catch (ConditionTimeoutException
                | IllegalStateException
                | KubernetesClientException
                | UncheckedIOException e) {
            say("further takeovers cannot be measured: " + e.getMessage());
        }
        takeovers.report(rounds(), report);
    }
}
