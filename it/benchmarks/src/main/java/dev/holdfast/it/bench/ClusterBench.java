package dev.holdfast.it.bench;

import dev.holdfast.it.bench.cluster.Etcd;
import dev.holdfast.it.bench.report.Bench;
import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.FolderDeletion;
import dev.holdfast.it.scenario.OperatorLaunch;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Option;

/** A bench with more nodes and pods than one machine could run: only kube-apiserver and etcd have them. */
abstract class ClusterBench extends Bench {
    /** Grants the right to evict. */
    static final String ENFORCING = "enforcement.enabled=true";

    /** Makes the log have a line for every violation, from which the delays are measured. */
    static final String WITH_ALL_LINES = "config.logLevel=debug";

    private static final String MEMORY = "-XX:MaxRAM=";
    private static final int SMALL_NODES = 1_000;
    private static final int SMALL_PODS = 30_000;

    @Option(
            names = "--small",
            description =
                    "1,000 nodes and 30,000 pods, fewer rounds, short periods: for daily use. Of the other options,"
                            + " only --without-descheduler counts then.")
    private boolean small;

    @Option(names = "--nodes", defaultValue = "5000", description = "Nodes. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(names = "--pods", defaultValue = "150000", description = "Pods. Default: ${DEFAULT-VALUE}.")
    private int pods;

    @Option(
            names = "--rounds",
            defaultValue = "5",
            description = "How often each reader, or each kind of start, is measured. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    ClusterBench(Path root, InstantSource clock) {
        super(root, clock);
    }

    /** Sets the options of all such benches if {@code --small} is given, and returns whether it is. */
    boolean makeSmall(int smallRounds) {
        if (small) {
            nodes = SMALL_NODES;
            pods = SMALL_PODS;
            rounds = smallRounds;
        }
        return small;
    }

    int nodes() {
        return nodes;
    }

    int pods() {
        return pods;
    }

    int rounds() {
        return rounds;
    }

    /** What a bench does on its control plane. */
    @FunctionalInterface
    interface Work {
        /** Measures. */
        void in(BenchEnvironment environment) throws InterruptedException, IOException;
    }

    /**
     * Starts a control plane with the chart, and does the work on it.
     *
     * @param settings the settings of the chart, as for {@code helm --set}
     */
    void onControlPlane(Work work, String... settings) throws InterruptedException, IOException {
        Path files = folder().resolve("controlplane");
        FolderDeletion.delete(files);
        say("starting a control plane; its logs are in " + files.resolve("logs"));
        try (ControlPlane controlPlane = ControlPlane.start(files);
                Etcd etcd = new Etcd(controlPlane.etcd());
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(controlPlane.config())
                        .build()) {
            InstalledChart chart = InstalledChart.install(controlPlane, "holdfast", settings);
            OperatorLaunch launch = launch(chart);
            AuditTrail trail = controlPlane.auditTrail();
            work.in(new BenchEnvironment(controlPlane, chart, launch, client, etcd, trail, clock(), this::say));
        }
    }

    /**
     * {@return the command line that starts the operator as its container does: the image's Java runtime, flags, jars
     * and AOT cache} A JVM flag that sets the memory size replaces the container's memory limit.
     */
    private OperatorLaunch launch(InstalledChart chart) {
        Path target = root().resolve("operator/target");
        try {
            List<String> options = Files.readAllLines(target.resolve("image-app.options"));
            List<String> flags = new ArrayList<>(options.stream()
                    .filter(option -> option.startsWith("-XX:") && !option.startsWith(MEMORY))
                    .toList());
            flags.add("-XX:AOTCache=" + target.resolve("image-root/opt/holdfast/start.aot"));
            flags.add(MEMORY + memoryLimit(chart));
            String classPath = options.stream()
                    .filter(option -> option.startsWith("-cp "))
                    .map(option -> option.substring("-cp ".length()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("the image names no class path"));
            return new OperatorLaunch(target.resolve("image-root/opt/java/bin/java"), flags, classPath);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "cannot read the image: build it with mvn -pl operator -am pre-integration-test", e);
        }
    }

    /** {@return the operator's memory limit in the chart, in bytes} */
    static long memoryLimit(InstalledChart chart) {
        return Objects.requireNonNull(
                        chart.container().getResources().getLimits().get("memory"), "the memory limit")
                .getNumericalAmount()
                .longValueExact();
    }
}
