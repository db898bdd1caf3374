package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.FilledCluster;
import dev.holdfast.it.bench.cluster.Layout;
import dev.holdfast.it.bench.measure.LedgerWatch;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.RunInfo;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The bench {@code it/bench ledger}. It measures the operator, started as the chart starts it, while many clocks run:
 * what it writes and needs, how soon it goes on after a restart, and how soon a standby takes over.
 */
final class LedgerBench {
    /** In a small cluster, the clocks are so large a part of the pods that the volume breaker would open. */
    private static final List<String> SETTINGS =
            List.of(BenchEnvironment.ENFORCING, BenchEnvironment.WITH_ALL_LINES, "config.breakers.volume.percent=100");

    private final Path root;
    private final LedgerOptions options;
    private final InstantSource clock;
    private final Progress progress;

    /**
     * @param root the built repository; the files of the control plane stay in its folder it/target/bench
     */
    LedgerBench(Path root, LedgerOptions options, InstantSource clock, Progress progress) {
        this.root = root;
        this.options = options;
        this.clock = clock;
        this.progress = progress;
    }

    Report run() throws InterruptedException, IOException {
        RunInfo run = RunInfo.now("ledger", root, options, clock);
        Layout layout = Layout.of(options.nodes(), options.pods());
        return BenchEnvironment.use(root, SETTINGS, clock, progress, (environment, etcd) -> {
            FilledCluster.prepare(environment.client());
            FilledCluster cluster = environment.fill(etcd, layout, options.seed());
            ClockChanges changes =
                    ClockChanges.of(cluster.plannedChanges(), options.clocks(), new Random(options.seed()));
            LedgerMeasurements measured = measure(environment, changes);
            return new Report(run, new LedgerFigures(measured).all(), measured);
        });
    }

    private LedgerMeasurements measure(BenchEnvironment environment, ClockChanges changes)
            throws InterruptedException, IOException {
        BenchPolicy policy = BenchPolicy.create(environment.client(), FilledCluster.namespaces());
        LedgerStarts starts = new LedgerStarts(environment);
        List<LedgerStart> empty = starts.empty(options.rounds());
        LedgerPeriods.Measured periods;
        try (LedgerWatch watch =
                LedgerWatch.open(environment.client(), environment.chart().namespace(), clock)) {
            periods = new LedgerPeriods(environment, options, watch, policy).measure(changes);
        }
        List<LedgerStart> full = new ArrayList<>();
        List<LedgerStart> none = new ArrayList<>();
        starts.alternately(options.rounds(), full, none);
        List<Takeover> killed = new ArrayList<>();
        List<Takeover> ended = new ArrayList<>();
        takeOver(environment, killed, ended);
        return new LedgerMeasurements(
                environment.launch().flags(),
                periods.contents(),
                periods.periods(),
                new LedgerMeasurements.Starts(empty, full, none),
                options.rounds(),
                killed,
                ended);
    }

    /** Adds the takeovers that can be measured. If one cannot be, prints why, and the report says how many are missing. */
    private void takeOver(BenchEnvironment environment, List<Takeover> killed, List<Takeover> ended)
            throws InterruptedException {
        BenchPolicy due = BenchPolicy.due(environment.client(), FilledCluster.fewPods(), FilledCluster.namespaces());
        try (Takeovers takeovers = Takeovers.start(environment, due)) {
            takeovers.play(options.rounds(), killed, ended);
        } catch (BenchException | IllegalStateException | KubernetesClientException | UncheckedIOException e) {
            progress.say("further takeovers cannot be measured: " + e.getMessage());
        }
    }
}
