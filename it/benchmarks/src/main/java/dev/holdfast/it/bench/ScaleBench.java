package dev.holdfast.it.bench;

import dev.holdfast.it.bench.ScaleMeasurements.ChurnCost;
import dev.holdfast.it.bench.ScaleMeasurements.Round;
import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.cluster.Churn;
import dev.holdfast.it.bench.cluster.Etcd;
import dev.holdfast.it.bench.cluster.ExpectedViolation;
import dev.holdfast.it.bench.cluster.FilledCluster;
import dev.holdfast.it.bench.cluster.Layout;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.Sample;
import dev.holdfast.it.bench.peer.Descheduler;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.policies.rule.RuleKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The bench {@code it/bench scale}. It measures the operator, started as the chart starts it, with a kube-apiserver and
 * etcd that hold more nodes and pods than one machine could run. For comparison it measures the descheduler, and curl
 * as the lower bound.
 */
@Command(
        name = "scale",
        description = "Compares the operator with the descheduler and curl on a kube-apiserver with 5,000 nodes and"
                + " 150,000 pods: the time to evaluate all pods, the memory, the load on kube-apiserver,"
                + " and the time to report a change. About 20 minutes and 20 GiB of memory by default; with --small"
                + " under five minutes. Nothing else should run on the machine meanwhile.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class ScaleBench extends ClusterBench {
    private static final double USUAL = 20;
    private static final double FAST = 200;
    private static final double NODES_AT_USUAL = 17;
    private static final double CHURN = 1_000;
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final int SMALL_ROUNDS = 3;
    private static final int SMALL_PLANTED = 100;
    private static final int SMALL_STARTS = 3;
    private static final int SMALL_SAMPLES = 200;
    private static final int SMALL_CHURN = 15;

    @Option(
            names = "--planted",
            defaultValue = "200",
            description = "Changes that break rules before the first round. Default: ${DEFAULT-VALUE}.")
    private int planted;

    @Option(
            names = "--starts",
            defaultValue = "5",
            description = "Starts of the operator on an empty cluster. Default: ${DEFAULT-VALUE}.")
    private int starts;

    @Option(
            names = "--samples",
            defaultValue = "500",
            description = "Changes that break a rule, 20 a second including those that heal it; then twice as many,"
                    + " 200 a second. Default: ${DEFAULT-VALUE}.")
    private int samples;

    @Option(
            names = "--churn-seconds",
            defaultValue = "60",
            description = "Seconds at each rate of events that break nothing; the CPU time is measured. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int churnSeconds;

    @Option(
            names = "--quiet-minutes",
            defaultValue = "1",
            description = "Minutes without a change, in which requests are counted; 0 skips them. Default:"
                    + " ${DEFAULT-VALUE}.")
    private double quietMinutes;

    @Option(names = "--without-descheduler", description = "Skips the descheduler.")
    private boolean withoutDescheduler;

    ScaleBench(Path root, InstantSource clock) {
        super(root, clock);
    }

    @Override
    protected void adjustOptions() {
        if (makeSmall(SMALL_ROUNDS)) {
            planted = SMALL_PLANTED;
            starts = SMALL_STARTS;
            samples = SMALL_SAMPLES;
            churnSeconds = SMALL_CHURN;
            quietMinutes = 0;
        }
    }

    @Override
    protected void measure(Report report) throws InterruptedException, IOException {
        Layout layout = Layout.of(nodes(), pods());
        if (!withoutDescheduler) {
            Descheduler.build();
        }
        BenchEnvironment.use(
                root(),
                clock(),
                this::say,
                (environment, etcd) -> {
                    ScaleMeasurements measured = measure(environment, etcd, layout);
                    report.raw("measured", measured).figures().forEach(report::add);
                },
                ENFORCING,
                WITH_ALL_LINES);
    }

    private ScaleMeasurements measure(BenchEnvironment environment, Etcd etcd, Layout layout)
            throws InterruptedException, IOException {
        List<Double> startSeconds = startRepeatedly(environment);
        FilledCluster.prepare(environment.client());
        if (!withoutDescheduler) {
            Descheduler.install(environment.client());
        }
        FilledCluster cluster = environment.fill(etcd, layout, seed());
        Random random = new Random(seed());
        List<PlannedChange> changes =
                cluster.plannedChanges().inTurns(List.of(RuleKind.values()), planted, planted, random);
        Set<String> violating = plant(environment, changes, ChangeStep.BREAK);
        say(violating.size() + " pods violate a rule");
        ScaleRounds rounds = new ScaleRounds(environment, pods(), violating.size(), cluster.nodes(violating));
        List<Round> played = rounds.play(rounds(), !withoutDescheduler);
        BenchPolicy policy = BenchPolicy.create(environment.client(), FilledCluster.namespaces());
        try (OperatorProcess operator = environment.launchOperator("operator").process()) {
            rounds.awaitComplete(policy);
            relist(environment, operator, cluster, etcd);
            rounds.awaitComplete(policy);
            ProcessFigures afterRelist = ProcessFigures.of(operator.pid());
            var _ = plant(environment, changes, ChangeStep.HEAL);
            new ScaleRounds(environment, pods(), 0, Set.of()).awaitComplete(policy);
            Churn churn = new Churn(cluster, etcd, clock(), seed());
            List<ChurnCost> costs = List.of(churn(operator, churn, USUAL), churn(operator, churn, CHURN));
            ChangeBench bench = new ChangeBench(environment);
            List<Sample> usual = bench.measure(operator, changes(cluster, samples, random), USUAL);
            List<Sample> fast = bench.measure(operator, changes(cluster, 2 * samples, random), FAST);
            Instant from = quiet(environment);
            Instant to = clock().instant();
            environment.stop(operator);
            policy.delete();
            return new ScaleMeasurements(
                    cluster.podBytes(),
                    violating.size(),
                    startSeconds,
                    played,
                    afterRelist,
                    usual,
                    fast,
                    costs,
                    rounds.allViolating(),
                    quietMinutes > 0 ? List.of(calls(environment, from, to)) : List.of());
        }
    }

    private List<Double> startRepeatedly(BenchEnvironment environment) {
        say("starting the operator " + starts + " times on an empty cluster");
        List<Double> seconds = new ArrayList<>();
        for (int i = 1; i <= starts; i++) {
            BenchEnvironment.Started started = environment.startOperator("operator-start-" + i);
            environment.stop(started.process());
            seconds.add(started.seconds());
        }
        return seconds;
    }

    /** Makes or reverts all label changes, and returns the UIDs of the pods whose rules this breaks or heals. */
    private Set<String> plant(BenchEnvironment environment, List<PlannedChange> changes, ChangeStep step) {
        ChangeCommitter committer = new ChangeCommitter(environment.client(), clock());
        Set<String> uids = new HashSet<>();
        for (int i = 0; i < changes.size(); i++) {
            var _ = committer.plant(i, changes.get(i), step);
            changes.get(i).expectedViolation().stream()
                    .map(ExpectedViolation::podUid)
                    .forEach(uids::add);
        }
        return uids;
    }

    private static List<PlannedChange> changes(FilledCluster cluster, int count, Random random) {
        return cluster.plannedChanges().inTurns(List.of(RuleKind.values()), count, ChangeCommitter.APART, random);
    }

    /**
     * Restarts kube-apiserver after a write to etcd that it has not seen, so that all watches expire, and waits until
     * the operator has relisted the pods.
     */
    private void relist(BenchEnvironment environment, OperatorProcess operator, FilledCluster cluster, Etcd etcd)
            throws InterruptedException, IOException {
        say("restarting kube-apiserver, so that the operator relists everything");
        long before = synced(operator);
        environment.controlPlane().stop(Program.KUBE_APISERVER);
        cluster.touchOne(etcd);
        environment.controlPlane().restart(Program.KUBE_APISERVER);
        environment.await(
                "the operator relists pods",
                Duration.ofMinutes(5),
                Duration.ofMillis(250),
                () -> synced(operator) > before);
    }

    private static long synced(OperatorProcess operator) {
        return operator.log().stream()
                .filter(line -> line.contains("View synced") && line.contains("\"pods\""))
                .count();
    }

    private ChurnCost churn(OperatorProcess operator, Churn churn, double podsPerSecond)
            throws InterruptedException, IOException {
        say(podsPerSecond + " pods and " + NODES_AT_USUAL + " nodes change per second");
        churn.run(podsPerSecond, NODES_AT_USUAL, WARM_UP);
        double before = ProcessFigures.of(operator.pid()).cpuSeconds();
        churn.run(podsPerSecond, NODES_AT_USUAL, Duration.ofSeconds(churnSeconds));
        double used = ProcessFigures.of(operator.pid()).cpuSeconds() - before;
        return new ChurnCost(podsPerSecond, NODES_AT_USUAL, churnSeconds, used / churnSeconds);
    }

    /** Lets the quiet minutes pass, if there are any, and returns when they began. */
    private Instant quiet(BenchEnvironment environment) throws InterruptedException {
        if (quietMinutes > 0) {
            say("waiting until the operator has reported all changes");
            environment.settle(Set.of());
        }
        Instant from = clock().instant();
        if (quietMinutes > 0) {
            environment.stayQuiet(quietMinutes);
        }
        return from;
    }

    private static ApiCalls calls(BenchEnvironment environment, Instant from, Instant to) throws InterruptedException {
        ApiCalls calls = environment.calls(from, to);
        if (calls.requests().getOrDefault("update leases", 0) == 0) {
            throw new IllegalStateException("the audit log shows no renewal of the lease in the quiet minutes");
        }
        return calls;
    }
}
