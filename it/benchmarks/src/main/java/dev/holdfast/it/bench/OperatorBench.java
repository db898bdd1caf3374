package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.BenchCluster;
import dev.holdfast.it.bench.cluster.Layout;
import dev.holdfast.it.bench.peer.Descheduler;
import dev.holdfast.it.bench.report.Checkout;
import dev.holdfast.it.bench.report.HoldfastFigures;
import dev.holdfast.it.bench.report.Machine;
import dev.holdfast.it.bench.report.OperatorBenchOptions;
import dev.holdfast.it.bench.report.OperatorReport;
import dev.holdfast.it.bench.report.PeerFigures;
import dev.holdfast.it.bench.report.Starts;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Folders;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/**
 * {@code it/bench operator}: the operator on a local control plane, as a process with the rights, the configuration and
 * the JVM flags that the chart gives it; then the descheduler on the same cluster.
 */
final class OperatorBench {
    private final Path root;
    private final OperatorBenchOptions options;
    private final InstantSource clock;
    private final Progress progress;

    /** @param root of the repository, built; logs and everything else of the control plane stay in its it/target/bench */
    OperatorBench(Path root, OperatorBenchOptions options, InstantSource clock, Progress progress) {
        this.root = root;
        this.options = options;
        this.clock = clock;
        this.progress = progress;
    }

    OperatorReport run() throws InterruptedException, IOException {
        String started = clock.instant().toString();
        Machine machine = Machine.here();
        Checkout checkout = Checkout.of(root);
        Layout layout = Layout.of(options.nodes(), options.pods());
        if (options.peer()) {
            Descheduler.build();
        }
        Path folder = root.resolve("it/target/bench/controlplane");
        Folders.delete(folder);
        progress.say("starting a control plane; its logs are in " + folder.resolve("logs"));
        try (ControlPlane controlPlane = ControlPlane.start(folder);
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(controlPlane.config())
                        .build()) {
            Site site = Site.of(root, controlPlane, client, clock, progress);
            HoldfastBench bench = new HoldfastBench(site, options);
            progress.say("starting the operator " + options.starts() + " times on an empty cluster");
            Starts starts = site.startRepeatedly(options.starts());
            progress.say("creating " + options.nodes() + " nodes and " + options.pods() + " pods");
            BenchCluster cluster = BenchCluster.create(client, layout);
            HoldfastFigures holdfast = bench.measure(starts, cluster);
            List<PeerFigures> peers =
                    options.peer() ? List.of(new PeerBench(site, options).measure(cluster)) : List.of();
            return new OperatorReport(
                    "operator",
                    started,
                    checkout,
                    machine,
                    options,
                    layout.podsWithRules(),
                    holdfast,
                    peers,
                    OperatorReport.goals(holdfast));
        }
    }
}
