package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.Churn;
import dev.holdfast.it.bench.cluster.FilledCluster;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.Detection;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.Summary;
import dev.holdfast.it.bench.peer.Descheduler;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.Unit;
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
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
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
    private static final double MIB = 1 << 20;
    private static final int PERCENT = 100;

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

    /** How many changes break rules before the first round. */
    private int planted = 200;

    @Option(names = "--without-descheduler", description = "Skips the descheduler.")
    private boolean withoutDescheduler;

    @Option(
            names = "--only-violations",
            description = "Measures only the memory while every pod violates a rule, in about four minutes.")
    private boolean onlyViolations;

    ScaleBench(Path root, InstantSource clock) {
        super(root, clock);
    }

    @Override
    protected void measure(Report report) throws InterruptedException, IOException {
        if (makeSmall(SMALL_ROUNDS)) {
            planted = SMALL_PLANTED;
            starts = SMALL_STARTS;
            samples = SMALL_SAMPLES;
            churnSeconds = SMALL_CHURN;
            quietMinutes = 0;
        }
        if (!withoutDescheduler && !onlyViolations) {
            Descheduler.build();
        }
        onControlPlane(environment -> measure(environment, report), ENFORCING, WITH_ALL_LINES);
    }

    private void measure(BenchEnvironment environment, Report report) throws InterruptedException, IOException {
        if (onlyViolations) {
            var _ = environment.fill(nodes(), pods());
            allViolating(environment, report);
            return;
        }
        startRepeatedly(environment, report);
        if (!withoutDescheduler) {
            Descheduler.install(environment.client());
        }
        FilledCluster cluster = environment.fill(nodes(), pods());
        List<PlannedChange> changes = cluster.plannedChanges()
                .independent(List.of(RuleKind.values()), Math.max(planted, 2 * samples), new Random(1));
        List<PlannedChange> lasting = changes.subList(0, Math.min(planted, changes.size()));
        Set<String> violating = plant(environment, lasting, PlannedChange.Step.BREAK);
        report.add(
                Figure.of("reads", "a pod in protobuf", cluster.podBytes(), Unit.BYTES),
                Figure.of("reads", "pods in violation", violating.size(), Unit.COUNT));
        ClusterReads reads =
                new ClusterReads(environment, pods(), violating.size(), cluster.nodes(violating), !withoutDescheduler);
        reads.play(rounds());
        BenchPolicy policy = BenchPolicy.create(environment.client());
        try (OperatorProcess operator = environment.launchOperator("operator").process()) {
            environment.awaitComplete(policy, pods(), violating.size());
            relist(environment, operator, cluster);
            environment.awaitComplete(policy, pods(), violating.size());
            reads.report(report, ProcessFigures.of(operator.pid()).peakMiB());
            var _ = plant(environment, lasting, PlannedChange.Step.HEAL);
            environment.awaitComplete(policy, pods(), 0);
            Churn churn = new Churn(cluster, environment.etcd(), clock());
            report.add(
                    churn(operator, churn, USUAL).atMost(3),
                    churn(operator, churn, CHURN).atMost(50));
            ChangeBench bench = new ChangeBench(environment);
            List<Detection.Sample> usual = report.raw("usual", bench.measure(operator, changes, samples, USUAL));
            List<Detection.Sample> fast = report.raw("fast", bench.measure(operator, changes, 2 * samples, FAST));
            report.add(
                    detection("20 a second", usual).atMost(10),
                    detection("200 a second", fast).atMost(50));
            reads.compareWith(summary(usual, Detection.Sample::recorded).p50(), report);
            Instant from = quiet(environment);
            Instant to = clock().instant();
            environment.stop(operator);
            if (quietMinutes > 0) {
                report.add(requests(environment.calls(from, to)));
            }
        }
        policy.delete();
        allViolating(environment, report);
    }

    private void startRepeatedly(BenchEnvironment environment, Report report) {
        List<Double> seconds = report.raw("starts", new ArrayList<>());
        for (int i = 1; i <= starts; i++) {
            BenchEnvironment.Started started = environment.startOperator(
                    "operator-start-" + i, environment.chart().config());
            environment.stop(started.process());
            seconds.add(started.seconds());
        }
        report.add(Figure.median("P15", "start to ready, empty cluster, median", seconds, Unit.SECONDS)
                .atMost(3));
    }

    /** Makes or reverts all label changes, and returns the UIDs of the pods whose rules this breaks or heals. */
    private Set<String> plant(BenchEnvironment environment, List<PlannedChange> changes, PlannedChange.Step step) {
        ChangeCommitter committer = new ChangeCommitter(environment.client(), clock());
        Set<String> uids = new HashSet<>();
        for (PlannedChange change : changes) {
            var _ = committer.commit(change, step);
            change.violations().forEach(violation -> uids.add(violation.podUid()));
        }
        return uids;
    }

    /**
     * Restarts kube-apiserver after a write to etcd that it has not seen, so that all watches expire, and waits until
     * the operator has relisted the pods.
     */
    private void relist(BenchEnvironment environment, OperatorProcess operator, FilledCluster cluster)
            throws InterruptedException, IOException {
        say("restarting kube-apiserver, so that the operator relists everything");
        long before = synced(operator);
        environment.controlPlane().stop(Program.KUBE_APISERVER);
        cluster.touchOne(environment.etcd());
        environment.controlPlane().restart(Program.KUBE_APISERVER);
        environment.await("the operator relists pods", Duration.ofMillis(250), () -> synced(operator) > before);
    }

    private static long synced(OperatorProcess operator) {
        return operator.log().stream()
                .filter(line -> line.contains("View synced") && line.contains("\"pods\""))
                .count();
    }

    private Figure churn(OperatorProcess operator, Churn churn, double podsPerSecond)
            throws InterruptedException, IOException {
        say(podsPerSecond + " pods and " + NODES_AT_USUAL + " nodes change per second");
        churn.run(podsPerSecond, NODES_AT_USUAL, WARM_UP);
        double before = ProcessFigures.of(operator.pid()).cpuSeconds();
        churn.run(podsPerSecond, NODES_AT_USUAL, Duration.ofSeconds(churnSeconds));
        double used = ProcessFigures.of(operator.pid()).cpuSeconds() - before;
        String what = String.format(
                Locale.ROOT, "CPU at %.0f pod and %.0f node events a second", podsPerSecond, NODES_AT_USUAL);
        return Figure.of("P10", what, PERCENT * used / churnSeconds, Unit.PERCENT);
    }

    private static Figure detection(String pace, List<Detection.Sample> samples) {
        Summary above = summary(samples, Detection.Sample::aboveWatch);
        String name = "change to recorded above a bare watch, " + pace + ", p99";
        return Figure.of("P5", name, above.p99(), Unit.MILLISECONDS)
                .noting(String.format(
                        Locale.ROOT,
                        "p50 %.1f, max %.1f ms of %d; change to recorded p50 %.1f ms",
                        above.p50(),
                        above.max(),
                        above.count(),
                        summary(samples, Detection.Sample::recorded).p50()));
    }

    /** {@return the summary of one time of the changes that break rules} */
    private static Summary summary(List<Detection.Sample> samples, ToDoubleFunction<Detection.Sample> millis) {
        return Summary.of(samples.stream()
                .filter(sample -> sample.step() == PlannedChange.Step.BREAK)
                .map(millis::applyAsDouble)
                .toList());
    }

    /** Lets the quiet minutes pass, if there are any, and returns when they began. */
    private Instant quiet(BenchEnvironment environment) throws InterruptedException {
        if (quietMinutes > 0) {
            environment.settle(Set.of());
        }
        Instant from = clock().instant();
        if (quietMinutes > 0) {
            environment.stayQuiet(quietMinutes);
        }
        return from;
    }

    /** {@return the number of requests in the quiet minutes} */
    static Figure requests(ApiCalls calls) {
        if (calls.requests().getOrDefault("update leases", 0) == 0) {
            throw new IllegalStateException("the audit log shows no renewal of the lease in the quiet minutes");
        }
        Map<String, Integer> beyond = calls.beyondRenewals();
        int requests = beyond.values().stream().mapToInt(Integer::intValue).sum();
        return Figure.of("P14", "requests in quiet minutes except lease and watch renewals", requests, Unit.COUNT)
                .noting(beyond.isEmpty() ? "" : beyond.toString())
                .atMost(0);
    }

    /** Starts the operator with a policy that every pod violates, until a minute after all violations are due. */
    private void allViolating(BenchEnvironment environment, Report report) throws InterruptedException {
        say("every pod violates a rule that no node satisfies");
        BenchPolicy policy = BenchPolicy.impossible(environment.client(), "{}");
        try (OperatorProcess operator =
                environment.launchOperator("operator-all-violating").process()) {
            environment.await(
                    pods() + " violations are due", Duration.ofMillis(250), () -> policy.count("due") == pods());
            environment.stayQuiet(1);
            double peak = ProcessFigures.of(operator.pid()).peakMiB();
            environment.stop(operator);
            String name = String.format(Locale.ROOT, "peak of resident memory, %,d violations at once", pods());
            report.add(Figure.of("R17", name, peak, Unit.MEBIBYTES).atMost(memoryLimit(environment.chart()) / MIB));
        }
    }
}
