package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.FilledCluster;
import dev.holdfast.it.bench.cluster.HostileKind;
import dev.holdfast.it.bench.cluster.HostileObjects;
import dev.holdfast.it.bench.cluster.Layout;
import dev.holdfast.it.bench.report.Figure;
import dev.holdfast.it.bench.report.Report;
import dev.holdfast.it.bench.report.RunInfo;
import dev.holdfast.it.controlplane.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The bench {@code it/bench hostile}. For each kind it measures two operators, started as the chart starts them: one
 * that runs while large objects are created, and one that is started when they are there.
 */
final class HostileBench {
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

    /** The raw samples of the report. */
    private record Outcomes(List<String> flags, List<HostileOutcome> outcomes) {}

    Report run() throws InterruptedException, IOException {
        RunInfo run = RunInfo.now("hostile", root, options, clock);
        Layout layout = Layout.of(options.nodes(), options.pods());
        return BenchEnvironment.use(root, clock, progress, (environment, etcd) -> {
            FilledCluster.prepare(environment.client());
            HostileObjects.prepare(environment.client());
            FilledCluster cluster = environment.fill(etcd, layout, options.seed());
            BenchPolicy policy = BenchPolicy.create(environment.client(), FilledCluster.namespaces());
            List<HostileOutcome> outcomes = new ArrayList<>();
            for (HostileKind kind : options.kinds()) {
                HostileObjects objects = HostileObjects.of(kind, environment.client(), etcd, options.objects());
                outcomes.add(new HostileRound(environment, options, cluster, policy, kind, objects).play());
                // kube-apiserver keeps deleted objects in memory for its watches.
                environment.controlPlane().stop(Program.KUBE_APISERVER);
                environment.controlPlane().restart(Program.KUBE_APISERVER);
            }
            List<Figure> figures =
                    outcomes.stream().flatMap(it -> it.figures().stream()).toList();
            return new Report(run, figures, new Outcomes(environment.launch().flags(), outcomes));
        });
    }
}
