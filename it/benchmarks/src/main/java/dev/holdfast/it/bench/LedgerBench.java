package dev.holdfast.it.bench;

import dev.holdfast.it.bench.LedgerMeasurements.Period;
import dev.holdfast.it.bench.LedgerMeasurements.Start;
import dev.holdfast.it.bench.LedgerMeasurements.Takeover;
import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.cluster.Etcd;
import dev.holdfast.it.bench.cluster.FilledCluster;
import dev.holdfast.it.bench.cluster.Layout;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.it.bench.measure.LedgerContents;
import dev.holdfast.it.bench.measure.LedgerWatch;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.ProcessPeak;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.policies.rule.RuleKind;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
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

    /**
     * The violations of the changes that are made and reverted: enough that consecutive changes are independent if each
     * is used again.
     */
    private static final int PASSING = 100;

    /** The rate of requests that make or revert a change. Each change causes about two violations. */
    private static final double REQUESTS_PER_SECOND = 20;

    private static final double NANOS = 1e9;
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
    protected void adjustOptions() {
        if (makeSmall(SMALL_ROUNDS)) {
            clocks = SMALL_CLOCKS;
            minutes = 1;
            churnSeconds = SMALL_CHURN;
        }
        if (clocks < 1 || rounds() < 1 || minutes <= 0 || churnSeconds < 1) {
            throw new IllegalArgumentException("--clocks, --rounds, --minutes and --churn-seconds must be above 0");
        }
    }

    @Override
    protected void measure(Report report) throws InterruptedException, IOException {
        Layout layout = Layout.of(nodes(), pods());
        BenchEnvironment.use(
                root(),
                clock(),
                this::say,
                (environment, etcd) -> {
                    LedgerMeasurements measured = measure(environment, etcd, layout);
                    report.raw("measured", measured).figures().forEach(report::add);
                },
                ENFORCING,
                WITH_ALL_LINES,
                WITHOUT_VOLUME_BREAKER);
    }

    /** What one operator is measured with in three periods. */
    private record Running(BenchEnvironment environment, OperatorProcess operator, LedgerWatch watch) {}

    /** What happens in a period. */
    @FunctionalInterface
    private interface Happening {
        void pass() throws InterruptedException;
    }

    private LedgerMeasurements measure(BenchEnvironment environment, Etcd etcd, Layout layout)
            throws InterruptedException, IOException {
        FilledCluster.prepare(environment.client());
        FilledCluster cluster = environment.fill(etcd, layout, seed());
        List<PlannedChange> lasting =
                new ArrayList<>(cluster.plannedChanges().together(KINDS, clocks + PASSING, new Random(seed())));
        List<PlannedChange> passing = passing(lasting, clocks);
        int violating = violations(lasting);
        BenchPolicy policy = BenchPolicy.create(environment.client(), FilledCluster.namespaces());
        LedgerStarts starts = new LedgerStarts(environment);
        List<Start> empty = starts.empty(rounds());
        Period withoutClocks;
        Period quiet;
        Period changing;
        LedgerContents contents;
        try (LedgerWatch watch = LedgerWatch.open(
                        environment.client(), environment.chart().namespace(), clock());
                OperatorProcess operator =
                        environment.startOperator("operator-periods").process()) {
            Running running = new Running(environment, operator, watch);
            awaitViolating(environment, policy, 0);
            settle(environment, Set.of());
            withoutClocks = period(running, 0, () -> environment.stayQuiet(minutes));
            say("breaking rules, so that " + violating + " clocks run");
            ChangeCommitter committer = new ChangeCommitter(environment.client(), clock());
            for (int i = 0; i < lasting.size(); i++) {
                var _ = committer.plant(i, lasting.get(i), ChangeStep.BREAK);
            }
            awaitViolating(environment, policy, violating);
            settle(environment, Set.of(LedgerMeasurements.WRITE));
            quiet = period(running, 0, () -> environment.stayQuiet(minutes));
            contents = LedgerContents.read(
                    environment.client(), environment.chart().namespace());
            List<PlannedChange> repeated = repeated(passing);
            say(repeated.size() + " changes break rules and are reverted");
            changing = period(running, violations(repeated), () -> {
                var _ = committer.steadily(repeated, REQUESTS_PER_SECOND);
            });
            awaitViolating(environment, policy, violating);
            environment.stop(operator);
        }
        List<Start> full = new ArrayList<>();
        List<Start> none = new ArrayList<>();
        starts.alternately(rounds(), full, none);
        List<Takeover> killed = new ArrayList<>();
        List<Takeover> ended = new ArrayList<>();
        takeOver(environment, killed, ended);
        return new LedgerMeasurements(
                environment.limitMiB(),
                contents,
                violating,
                withoutClocks,
                quiet,
                changing,
                empty,
                full,
                none,
                rounds(),
                killed,
                ended);
    }

    /**
     * Takes out and returns the changes beyond those whose violations run the given number of clocks.
     *
     * @throws IllegalArgumentException with a message of one line, if they are so few that consecutive ones would not
     * be independent
     */
    static List<PlannedChange> passing(List<PlannedChange> changes, int clocks) {
        int lasting = 0;
        for (int violations = 0; violations < clocks && lasting < changes.size(); lasting++) {
            violations += changes.get(lasting).expectedViolation().size();
        }
        List<PlannedChange> rest = changes.subList(lasting, changes.size());
        List<PlannedChange> passing = List.copyOf(rest);
        rest.clear();
        if (passing.size() < ChangeCommitter.APART) {
            throw new IllegalArgumentException("only " + passing.size() + " changes can be made and reverted, not "
                    + ChangeCommitter.APART + ": give more --pods");
        }
        return passing;
    }

    /** {@return changes for the whole period; each is used again and again} */
    private List<PlannedChange> repeated(List<PlannedChange> passing) {
        return IntStream.range(0, (int) Math.ceil(churnSeconds * REQUESTS_PER_SECOND / 2))
                .mapToObj(i -> passing.get(i % passing.size()))
                .toList();
    }

    private static int violations(List<PlannedChange> changes) {
        return changes.stream()
                .mapToInt(change -> change.expectedViolation().size())
                .sum();
    }

    private void awaitViolating(BenchEnvironment environment, BenchPolicy policy, int violating) {
        new ScaleRounds(environment, pods(), violating, Set.of()).awaitComplete(policy);
    }

    private void settle(BenchEnvironment environment, Set<String> others) {
        say("waiting until the operator has reported all changes");
        environment.settle(others);
    }

    /** @param violations how many violations begin in the period */
    private Period period(Running running, int violations, Happening happening) throws InterruptedException {
        long pid = running.operator().pid();
        Instant from = clock().instant();
        double cpuBefore = ProcessFigures.of(pid).cpuSeconds();
        try (ProcessPeak peak = new ProcessPeak(pid)) {
            happening.pass();
            Instant to = clock().instant();
            double resident = peak.residentMiB();
            ProcessFigures figures = ProcessFigures.of(pid);
            double seconds = Duration.between(from, to).toNanos() / NANOS;
            return new Period(
                    violations / seconds,
                    running.watch().writes(from, to),
                    // The audit log has no watch that is still open; it does have the writes.
                    running.environment().calls(from, to),
                    (figures.cpuSeconds() - cpuBefore) / seconds,
                    resident,
                    figures.peakMiB());
        }
    }

    /**
     * Adds the takeovers that can be measured. If one cannot be, prints why, and the report says how many are missing.
     */
    private void takeOver(BenchEnvironment environment, List<Takeover> killed, List<Takeover> ended)
            throws InterruptedException {
        BenchPolicy due = BenchPolicy.due(environment.client(), FilledCluster.fewPods(), FilledCluster.namespaces());
        try (Takeovers takeovers = Takeovers.start(environment, due)) {
            takeovers.play(rounds(), killed, ended);
        } catch (ConditionTimeoutException
                | IllegalStateException
                | KubernetesClientException
                | UncheckedIOException e) {
            say("further takeovers cannot be measured: " + e.getMessage());
        }
    }
}
