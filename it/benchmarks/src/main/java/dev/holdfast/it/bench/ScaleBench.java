package dev.holdfast.it.bench;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.cluster.Churn;
import dev.holdfast.it.bench.cluster.Etcd;
import dev.holdfast.it.bench.cluster.ExpectedViolation;
import dev.holdfast.it.bench.cluster.FilledCluster;
import dev.holdfast.it.bench.cluster.Layout;
import dev.holdfast.it.bench.cluster.Patches;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.peer.Descheduler;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.RunInfo;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.policies.rule.RuleKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * The bench {@code it/bench scale}. It measures the operator, started as the chart starts it, with a kube-apiserver and
 * etcd that hold more nodes and pods than one machine could run. For comparison it measures the descheduler, and curl
 * as the lower bound.
 */
final class ScaleBench {
    private static final double USUAL = 20;
    private static final double FAST = 200;
    private static final double NODES_AT_USUAL = 17;
    private static final double CHURN = 1_000;
    private static final Duration WARM_UP = Duration.ofSeconds(10);

    private final Path root;
    private final ScaleOptions options;
    private final InstantSource clock;
    private final Progress progress;

    /**
     * @param root the built repository; the files of the control plane stay in its folder it/target/bench
     */
    ScaleBench(Path root, ScaleOptions options, InstantSource clock, Progress progress) {
        this.root = root;
        this.options = options;
        this.clock = clock;
        this.progress = progress;
    }

    Report run() throws InterruptedException, IOException {
        RunInfo run = RunInfo.now("scale", root, options, clock);
        Layout layout = Layout.of(options.nodes(), options.pods());
        if (options.peer()) {
            Descheduler.build();
        }
        return BenchEnvironment.use(root, clock, progress, (environment, etcd) -> {
            progress.say("starting the operator " + options.starts() + " times on an empty cluster");
            List<Double> starts = environment.startRepeatedly(options.starts());
            FilledCluster.prepare(environment.client());
            if (options.peer()) {
                Descheduler.install(environment.client());
            }
            FilledCluster cluster = environment.fill(etcd, layout, options.seed());
            ScaleMeasurements measured = measure(environment, cluster, etcd, starts);
            return new Report(run, new ScaleFigures(measured).all(), measured);
        });
    }

    private ScaleMeasurements measure(
            BenchEnvironment environment, FilledCluster cluster, Etcd etcd, List<Double> starts)
            throws InterruptedException, IOException {
        Random random = new Random(options.seed());
        List<PlannedChange> planted = cluster.plannedChanges()
                .inTurns(List.of(RuleKind.values()), options.planted(), options.planted(), random);
        Set<String> violating = plant(environment, planted, ChangeStep.BREAK);
        progress.say(violating.size() + " pods violate a rule");
        ScaleRounds rounds = new ScaleRounds(environment, options.pods(), violating.size(), cluster.nodes(violating));
        List<ScaleRound> played = rounds.play(options.rounds(), options.peer());
        BenchPolicy policy = BenchPolicy.create(environment.client(), FilledCluster.namespaces());
        BenchEnvironment.Launched launched = environment.launchOperator("operator");
        try (OperatorProcess operator = launched.process()) {
            rounds.awaitComplete(policy);
            ProcessFigures afterRelist = relist(environment, operator, cluster, etcd, rounds, policy);
            var _ = plant(environment, planted, ChangeStep.HEAL);
            new ScaleRounds(environment, options.pods(), 0, Set.of()).awaitComplete(policy);
            List<ChurnCost> churn = churn(operator, new Churn(cluster, etcd, clock, options.seed()));
            ChangeBench changes = new ChangeBench(environment);
            ChangeLatencies usual = changes.measure(operator, changes(cluster, options.samples(), random), USUAL);
            ChangeLatencies fast = changes.measure(operator, changes(cluster, options.samples() * 2, random), FAST);
            Optional<QuietMinutes.Minutes> quiet = options.quietMinutes() > 0
                    ? Optional.of(QuietMinutes.pass(environment, options.quietMinutes()))
                    : Optional.empty();
            environment.stop(operator);
            policy.delete();
            return new ScaleMeasurements(
                    environment.launch().flags(),
                    cluster.podBytes(),
                    violating.size(),
                    starts,
                    played,
                    afterRelist,
                    usual,
                    fast,
                    churn,
                    rounds.allViolating(),
                    quiet.isPresent() ? List.of(QuietMinutes.calls(environment, quiet.get())) : List.of());
        }
    }

    /** Makes or reverts all label changes, and returns the UIDs of the pods whose rules this breaks or heals. */
    private Set<String> plant(BenchEnvironment environment, List<PlannedChange> plannedChanges, ChangeStep changeStep) {
        ChangeCommitter changeCommitter = new ChangeCommitter(new Patches(environment.client()), clock);
        Set<String> pods = new HashSet<>();
        for (int i = 0; i < plannedChanges.size(); i++) {
            var _ = changeCommitter.plant(i, plannedChanges.get(i), changeStep);
            plannedChanges.get(i).expectedViolation().stream()
                    .map(ExpectedViolation::podUid)
                    .forEach(pods::add);
        }
        return pods;
    }

    private static List<PlannedChange> changes(FilledCluster cluster, int count, Random random) {
        return cluster.plannedChanges().inTurns(List.of(RuleKind.values()), count, ChangeCommitter.APART, random);
    }

    /**
     * Restarts kube-apiserver after a write to etcd that it has not seen, so that all watches expire and the operator
     * relists. Returns the operator's memory and CPU time after that.
     */
    private ProcessFigures relist(
            BenchEnvironment environment,
            OperatorProcess operator,
            FilledCluster cluster,
            Etcd etcd,
            ScaleRounds rounds,
            BenchPolicy policy)
            throws InterruptedException, IOException {
        progress.say("restarting kube-apiserver, so that the operator relists everything");
        long before = synced(operator);
        environment.controlPlane().stop(Program.KUBE_APISERVER);
        cluster.touchOne(etcd);
        environment.controlPlane().restart(Program.KUBE_APISERVER);
        await("the operator relists pods")
                .atMost(Duration.ofMinutes(5))
                .pollInterval(Duration.ofMillis(250))
                .until(() -> synced(operator) > before);
        rounds.awaitComplete(policy);
        return ProcessFigures.of(operator.pid());
    }

    private static long synced(OperatorProcess operator) {
        return operator.log().stream()
                .filter(line -> line.contains("View synced") && line.contains("\"pods\""))
                .count();
    }

    private List<ChurnCost> churn(OperatorProcess operator, Churn churn) throws InterruptedException, IOException {
        List<ChurnCost> costs = new ArrayList<>();
        costs.add(churn(operator, churn, USUAL, NODES_AT_USUAL));
        costs.add(churn(operator, churn, CHURN, NODES_AT_USUAL));
        return costs;
    }

    private ChurnCost churn(OperatorProcess operator, Churn churn, double pods, double nodes)
            throws InterruptedException, IOException {
        progress.say(pods + " pods and " + nodes + " nodes change per second");
        churn.run(pods, nodes, WARM_UP);
        Duration length = Duration.ofSeconds(options.churnSeconds());
        double before = ProcessFigures.of(operator.pid()).cpuSeconds();
        churn.run(pods, nodes, length);
        double used = ProcessFigures.of(operator.pid()).cpuSeconds() - before;
        return new ChurnCost(pods, nodes, length.toSeconds(), used / length.toSeconds());
    }
}
