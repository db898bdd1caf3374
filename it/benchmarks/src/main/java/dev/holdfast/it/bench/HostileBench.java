package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.Etcd;
import dev.holdfast.it.bench.cluster.FilledCluster;
import dev.holdfast.it.bench.cluster.HostileKind;
import dev.holdfast.it.bench.cluster.HostileObjects;
import dev.holdfast.it.bench.cluster.Layout;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.RunInfo;
import dev.holdfast.it.bench.report.Unit;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.FolderDeletion;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.policies.rule.RuleKind;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The bench {@code it/bench hostile}. For each kind it measures two operators, started as the chart starts them: one
 * that runs while large objects are created, and one that is started when they are there.
 */
final class HostileBench {
    private static final double PACE = 20;
    private static final Duration BETWEEN_WRITES = Duration.ofMillis(200);
    private static final Duration LONGEST_START = Duration.ofMinutes(5);
    private static final Duration LONGEST_READING = Duration.ofMinutes(5);
    private static final double BUSY_SECONDS = 0.2;
    private static final double MILLIS = 1e3;

    private final Path root;
    private final HostileOptions options;
    private final InstantSource clock;
    private final Progress progress;

    /**
     * @param root the built repository; the files of the control plane stay in its folder it/target/bench
     */
    HostileBench(Path root, HostileOptions options, InstantSource clock, Progress progress) {
        this.root = root;
        this.options = options;
        this.clock = clock;
        this.progress = progress;
    }

    /** The outcomes of all kinds, for the report. */
    private record Outcomes(List<String> flags, List<HostileOutcome> outcomes) {}

    Report run() throws InterruptedException, IOException {
        RunInfo run = RunInfo.now("hostile", root, options, clock);
        Path folder = root.resolve("it/target/bench/controlplane");
        FolderDeletion.delete(folder);
        progress.say("starting a control plane; its logs are in " + folder.resolve("logs"));
        try (ControlPlane controlPlane = ControlPlane.start(folder);
                Etcd etcd = new Etcd(controlPlane.etcd());
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(controlPlane.config())
                        .build()) {
            BenchEnvironment environment = BenchEnvironment.of(root, controlPlane, client, clock, progress);
            FilledCluster.prepare(client);
            HostileObjects.prepare(client);
            for (Program server : List.of(Program.KWOK, Program.KUBE_SCHEDULER, Program.KUBE_CONTROLLER_MANAGER)) {
                controlPlane.stop(server);
            }
            progress.say("writing " + options.nodes() + " nodes and " + options.pods() + " pods into etcd");
            FilledCluster cluster =
                    FilledCluster.fill(client, etcd, Layout.of(options.nodes(), options.pods()), options.seed());
            BenchPolicy policy = BenchPolicy.create(client, FilledCluster.namespaces());
            List<HostileOutcome> outcomes = new ArrayList<>();
            for (HostileKind kind : options.kinds()) {
                outcomes.add(outcome(
                        environment, cluster, policy, HostileObjects.of(kind, client, etcd, options.objects()), kind));
                // kube-apiserver keeps deleted objects for its watches.
                controlPlane.stop(Program.KUBE_APISERVER);
                controlPlane.restart(Program.KUBE_APISERVER);
            }
            List<Figure> figures =
                    outcomes.stream().flatMap(it -> figures(it).stream()).toList();
            return new Report(run, figures, new Outcomes(environment.launch().flags(), outcomes));
        }
    }

    private HostileOutcome outcome(
            BenchEnvironment environment,
            FilledCluster cluster,
            BenchPolicy policy,
            HostileObjects objects,
            HostileKind kind)
            throws InterruptedException, IOException {
        List<HostileOutcome.Watching> watching = new ArrayList<>();
        List<HostileOutcome.Listing> listing = new ArrayList<>();
        try {
            watching.add(watching(environment, cluster, policy, objects, kind));
        } catch (BenchException | IllegalStateException e) {
            progress.say("the operator that watched " + kind + ": " + e.getMessage());
            objects.create();
        }
        try {
            listing.add(listing(environment, policy, kind));
        } catch (BenchException | IllegalStateException e) {
            progress.say("the operator that listed " + kind + ": " + e.getMessage());
        }
        objects.delete();
        return new HostileOutcome(kind.toString(), objects.size(), watching, listing);
    }

    private HostileOutcome.Watching watching(
            BenchEnvironment environment,
            FilledCluster cluster,
            BenchPolicy policy,
            HostileObjects objects,
            HostileKind kind)
            throws InterruptedException, IOException {
        BenchEnvironment.Launched launched = environment.launchOperator("operator-watching-" + kind);
        try (OperatorProcess operator = launched.process()) {
            awaitEvaluated(operator, policy);
            progress.say("writing " + options.objects() + " " + kind + " of " + objects.size() + " bytes");
            objects.create();
            awaitRest(operator);
            Random random = new Random(options.seed());
            List<PlannedChange> changes = cluster.plannedChanges()
                    .inTurns(List.of(RuleKind.values()), options.samples(), ChangeCommitter.APART, random);
            Thread writer = writer(objects);
            try {
                ChangeLatencies latencies = new ChangeBench(environment).measure(operator, changes, PACE);
                double peak = ProcessFigures.of(operator.pid()).peakMiB();
                progress.say(String.format(
                        Locale.ROOT,
                        "%s: peak %.0f MiB, p99 %.0f ms",
                        kind,
                        peak,
                        latencies.breaks().recorded().p99()));
                environment.stop(operator);
                return new HostileOutcome.Watching(peak, latencies);
            } finally {
                writer.interrupt();
                writer.join();
            }
        }
    }

    /** Starts a thread that writes the objects again, one after the other, until it is interrupted. */
    private Thread writer(HostileObjects objects) {
        return Thread.ofPlatform().name("writer-of-large-objects").start(() -> {
            try {
                for (int turn = 1; ; turn++) {
                    objects.touch(turn);
                    TimeUnit.NANOSECONDS.sleep(BETWEEN_WRITES.toNanos());
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (IOException e) {
                progress.say("cannot write large objects again: " + e.getMessage());
            }
        });
    }

    private HostileOutcome.Listing listing(BenchEnvironment environment, BenchPolicy policy, HostileKind kind)
            throws InterruptedException {
        policy.delete();
        BenchPolicy again = BenchPolicy.create(environment.client(), FilledCluster.namespaces());
        BenchEnvironment.Launched launched = environment.launchOperator("operator-listing-" + kind);
        try (OperatorProcess operator = launched.process()) {
            awaitEvaluated(operator, again);
            double seconds = Duration.between(launched.at(), clock.instant()).toMillis() / MILLIS;
            awaitRest(operator);
            double peak = ProcessFigures.of(operator.pid()).peakMiB();
            progress.say(String.format(Locale.ROOT, "%s: started in %.1f s, peak %.0f MiB", kind, seconds, peak));
            environment.stop(operator);
            return new HostileOutcome.Listing(seconds, peak);
        }
    }

    /** Waits until the operator is ready and the policy's status counts at least the pods of the bench. */
    private void awaitEvaluated(OperatorProcess operator, BenchPolicy policy) throws InterruptedException {
        Instant latest = clock.instant().plus(LONGEST_START);
        while (!operator.isReady() || policy.selected() < options.pods()) {
            // Throws if the operator has ended.
            var _ = ProcessFigures.of(operator.pid());
            if (clock.instant().isAfter(latest)) {
                throw new BenchException("not ready within " + LONGEST_START);
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** Waits until the operator has read what was written: until it uses little CPU for three seconds. */
    private void awaitRest(OperatorProcess operator) throws InterruptedException {
        Instant latest = clock.instant().plus(LONGEST_READING);
        double before = ProcessFigures.of(operator.pid()).cpuSeconds();
        for (int quiet = 0; quiet < 3; ) {
            TimeUnit.SECONDS.sleep(1);
            double now = ProcessFigures.of(operator.pid()).cpuSeconds();
            quiet = now - before < BUSY_SECONDS ? quiet + 1 : 0;
            before = now;
            if (clock.instant().isAfter(latest)) {
                throw new BenchException("still busy after " + LONGEST_READING);
            }
        }
    }

    private List<Figure> figures(HostileOutcome outcome) {
        List<Figure> figures = new ArrayList<>();
        String kind = outcome.kind();
        figures.add(Figure.of(kind, "an object in etcd", outcome.bytes(), Unit.BYTES));
        figures.add(Figure.of(
                kind,
                "operators that went on, of 2",
                outcome.watching().size() + outcome.listing().size(),
                Unit.COUNT));
        for (HostileOutcome.Watching watching : outcome.watching()) {
            figures.add(Figure.of(kind, "watching, peak of resident memory", watching.peakMiB(), Unit.MEBIBYTES));
            figures.add(Figure.of(
                    kind,
                    "change to recorded, median",
                    watching.changes().breaks().recorded().p50(),
                    Unit.MILLISECONDS));
            figures.add(Figure.of(
                    kind,
                    "change to recorded, p99",
                    watching.changes().breaks().recorded().p99(),
                    Unit.MILLISECONDS));
        }
        for (HostileOutcome.Listing listing : outcome.listing()) {
            figures.add(Figure.of(kind, "start, whole cluster", listing.seconds(), Unit.SECONDS));
            figures.add(Figure.of(kind, "start, peak of resident memory", listing.peakMiB(), Unit.MEBIBYTES));
        }
        return figures;
    }
}
