package dev.holdfast.it.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.bench.cluster.Etcd;
import dev.holdfast.it.bench.cluster.FilledCluster;
import dev.holdfast.it.bench.cluster.Layout;
import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.BareWatch;
import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.FolderDeletion;
import dev.holdfast.it.controlplane.PodAccount;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.scenario.OperatorLaunch;
import dev.holdfast.it.scenario.OperatorProcess;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The environment of one bench: a control plane with the chart installed, and the command that starts the operator.
 *
 * @param client a client with all rights
 */
record BenchEnvironment(
        ControlPlane controlPlane,
        InstalledChart chart,
        OperatorLaunch launch,
        KubernetesClient client,
        AuditTrail trail,
        InstantSource clock,
        Progress progress) {
    static final String ENFORCING = "enforcement.enabled=true";

    /** Makes the log have a line for every violation, from which the delays are measured. */
    static final String WITH_ALL_LINES = "config.logLevel=debug";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONGEST_FILL = Duration.ofMinutes(5);
    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);
    private static final double NANOS_PER_MILLI = 1e6;
    private static final ListOptions ONE =
            new ListOptionsBuilder().withLimit(1L).build();

    /**
     * How long to wait before the audit log is read: the API server logs a watch only some time after the watch has
     * ended.
     */
    private static final Duration WRITING = Duration.ofSeconds(2);

    /** What a bench does on its control plane. */
    @FunctionalInterface
    interface Work<T> {
        /** {@return the result} */
        T in(BenchEnvironment environment, Etcd etcd) throws InterruptedException, IOException;
    }

    /**
     * Starts a control plane with the chart, which grants the right to evict, does the work on it, and returns the
     * result of the work.
     *
     * @param root the built repository; the files of the control plane stay in its folder it/target/bench
     */
    static <T> T use(Path root, InstantSource clock, Progress progress, Work<T> work)
            throws InterruptedException, IOException {
        return use(root, List.of(ENFORCING, WITH_ALL_LINES), clock, progress, work);
    }

    /**
     * As {@link #use(Path, InstantSource, Progress, Work)}, with these settings of the chart only.
     *
     * @param settings the settings as for {@code helm --set}
     */
    static <T> T use(Path root, List<String> settings, InstantSource clock, Progress progress, Work<T> work)
            throws InterruptedException, IOException {
        Path folder = root.resolve("it/target/bench/controlplane");
        FolderDeletion.delete(folder);
        progress.say("starting a control plane; its logs are in " + folder.resolve("logs"));
        try (ControlPlane controlPlane = ControlPlane.start(folder);
                Etcd etcd = new Etcd(controlPlane.etcd());
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(controlPlane.config())
                        .build()) {
            return work.in(of(root, settings.toArray(String[]::new), controlPlane, client, clock, progress), etcd);
        }
    }

    /** Stops the controllers, the scheduler and the simulated nodes, and fills the cluster. */
    FilledCluster fill(Etcd etcd, Layout layout, long seed) throws InterruptedException {
        for (Program server : List.of(Program.KWOK, Program.KUBE_SCHEDULER, Program.KUBE_CONTROLLER_MANAGER)) {
            controlPlane.stop(server);
        }
        progress.say("writing " + layout.nodes() + " nodes and " + layout.pods() + " pods into etcd");
        FilledCluster filled = FilledCluster.fill(client, etcd, layout, seed);
        awaitWatchCache();
        return filled;
    }

    /**
     * Waits until the API server has the pods in its watch cache. Until then it reads a list from etcd, which takes longer
     * than an operator waits for it.
     */
    private void awaitWatchCache() throws InterruptedException {
        Instant latest = clock.instant().plus(LONGEST_FILL);
        String newest = "";
        while (true) {
            try {
                if (newest.isEmpty()) {
                    newest = JSON.readTree(client.raw("/api/v1/pods?limit=1"))
                            .at("/metadata/resourceVersion")
                            .asText();
                }
                client.raw("/api/v1/pods?limit=1&resourceVersionMatch=NotOlderThan&resourceVersion=" + newest);
                return;
            } catch (KubernetesClientException | IOException e) {
                if (clock.instant().isAfter(latest)) {
                    throw new BenchException("the API server has not got all pods in its cache: " + e.getMessage());
                }
                TimeUnit.SECONDS.sleep(1);
            }
        }
    }

    /**
     * Installs the chart on a control plane and returns the environment.
     *
     * @param root the repository, in which the operator's image is built
     */
    private static BenchEnvironment of(
            Path root,
            String[] settings,
            ControlPlane controlPlane,
            KubernetesClient client,
            InstantSource clock,
            Progress progress) {
        InstalledChart chart = InstalledChart.install(controlPlane, "holdfast", settings);
        OperatorLaunch launch = ImageLaunch.of(root, chart.manifest(settings), client);
        return new BenchEnvironment(controlPlane, chart, launch, client, controlPlane.auditTrail(), clock, progress);
    }

    /**
     * An operator process that is ready.
     *
     * @param at the instant of its start
     * @param millis the time from the start of the process to the first 200 from /readyz, in milliseconds
     */
    record Started(OperatorProcess process, Instant at, double millis) {}

    /** An operator process and the instant of its start. */
    record Launched(OperatorProcess process, Instant at) {}

    /** Starts an operator, waits until it is ready, and returns it. */
    Started startOperator(String name) throws InterruptedException {
        return startOperator(name, chart.config());
    }

    /** As {@link #startOperator(String)}, with another configuration file. */
    Started startOperator(String name, String config) throws InterruptedException {
        Launched launched = launchOperator(name, config);
        OperatorProcess process = launched.process();
        Instant start = launched.at();
        while (!process.isReady()) {
            if (clock.instant().isAfter(start.plus(LONGEST_START))) {
                process.close();
                throw new BenchException("the operator was not ready within " + LONGEST_START.toSeconds()
                        + " s; its log is " + log(name));
            }
            TimeUnit.NANOSECONDS.sleep(POLL_INTERVAL.toNanos());
        }
        return new Started(
                process, start, Duration.between(start, clock.instant()).toNanos() / NANOS_PER_MILLI);
    }

    /** Starts an operator and returns it at once, before it is ready. */
    Launched launchOperator(String name) {
        return launchOperator(name, chart.config());
    }

    private Launched launchOperator(String name, String config) {
        PodAccount account = chart.podAccount();
        Instant at = clock.instant();
        return new Launched(OperatorProcess.startAsPod(launch, account, config, log(name)), at);
    }

    private Path log(String name) {
        return controlPlane.folder().resolve("logs/" + name + ".log");
    }

    /**
     * Starts and stops the operator several times, and returns the durations of the starts in milliseconds, in order.
     */
    List<Double> startRepeatedly(int times) throws InterruptedException {
        List<Double> millis = new ArrayList<>();
        for (int i = 1; i <= times; i++) {
            Started started = startOperator("operator-start-" + i);
            stop(started.process());
            millis.add(started.millis());
        }
        return millis;
    }

    /** Stops an operator with SIGTERM, as Kubernetes does. */
    void stop(OperatorProcess operator) {
        int code = operator.stop();
        if (code != 0) {
            throw new BenchException(
                    "the operator ended with exit code " + code + " when it was stopped; see its log in "
                            + controlPlane.folder().resolve("logs"));
        }
    }

    /**
     * Opens a watch at the current state and returns it.
     *
     * @param resource the plural name of the kind, {@code pods} or {@code nodes}
     */
    BareWatch watch(String resource) throws IOException, InterruptedException {
        String version = switch (resource) {
            case "pods" ->
                client.pods().inAnyNamespace().list(ONE).getMetadata().getResourceVersion();
            case "nodes" -> client.nodes().list(ONE).getMetadata().getResourceVersion();
            default -> throw new IllegalArgumentException("no watch of " + resource);
        };
        return BareWatch.open(controlPlane.config(), "/api/v1/" + resource, version, clock);
    }

    /** {@return the requests that a user of the API server sent in the period; the user's process must have ended} */
    ApiCalls calls(String user, Instant from, Instant to) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(WRITING.toNanos());
        return ApiCalls.of(trail.records(), user, from, to);
    }

    /** Waits for this many minutes. No object in the cluster may change meanwhile. */
    void stayQuiet(double minutes) throws InterruptedException {
        progress.say("no changes for " + minutes + " minutes");
        TimeUnit.MILLISECONDS.sleep(Math.round(minutes * TimeUnit.MINUTES.toMillis(1)));
    }
}
