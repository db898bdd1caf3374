package dev.holdfast.it.bench.peer;

import dev.holdfast.it.controlplane.AccountToken;
import dev.holdfast.it.controlplane.ChildProcesses;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.GoModule;
import dev.holdfast.it.controlplane.GoTool;
import dev.holdfast.it.controlplane.ProgramCache;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The descheduler as a separate process with the rights of its own manifest. It checks all pods once and ends.
 *
 * <p>It evicts no pod: its limit is 0 evictions per node, and its log names the nodes on which the limit stopped an
 * eviction. Its own dry run is not used, because the dry run does not find all violations.
 */
public final class Descheduler implements AutoCloseable {
    private static final String NAMESPACE = "descheduler";
    private static final String ACCOUNT = "descheduler-sa";
    private static final Pattern NODE = Pattern.compile(" node=\"([^\"]+)\"");

    private static final GoModule MODULE = new GoModule(
            "descheduler",
            "the descheduler",
            "2 minutes",
            List.of(Tool.DESCHEDULER),
            "sigs.k8s.io/descheduler",
            "-X sigs.k8s.io/descheduler/pkg/version.version=%1$s",
            new GoModule.ModuleFiles("sigs.k8s.io/descheduler", "kubernetes/base", "manifests"));

    private static final String POLICY = """
        apiVersion: descheduler/v1alpha2
        kind: DeschedulerPolicy
        maxNoOfPodsToEvictPerNode: 0
        profiles:
        - name: bench
          pluginConfig:
          - name: DefaultEvictor
          - name: RemovePodsViolatingNodeAffinity
            args: {nodeAffinityType: [requiredDuringSchedulingIgnoredDuringExecution]}
          - name: RemovePodsViolatingInterPodAntiAffinity
          - name: RemovePodsViolatingTopologySpreadConstraint
            args: {constraints: [DoNotSchedule]}
          plugins:
            deschedule:
              enabled: [RemovePodsViolatingNodeAffinity, RemovePodsViolatingInterPodAntiAffinity]
            balance: {enabled: [RemovePodsViolatingTopologySpreadConstraint]}
        """;

    /** {@return the version of the descheduler, with a leading {@code v}} */
    static String version() {
        return MODULE.version();
    }

    private enum Tool implements GoTool {
        DESCHEDULER;

        @Override
        public String label() {
            return "descheduler";
        }

        @Override
        public String goPackage() {
            return "sigs.k8s.io/descheduler/cmd/descheduler";
        }
    }

    private final Process process;
    private final Path log;

    private Descheduler(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Builds the descheduler if it is not in the cache, so that no measurement includes the build. */
    public static void build() {
        var _ = ProgramCache.ofUser(MODULE).folder();
    }

    /**
     * Starts the descheduler, which ends after one check of all pods. {@link #install} must have been called before.
     *
     * @param name the name of its log file
     */
    public static Descheduler once(ControlPlane controlPlane, KubernetesClient client, String name) {
        Path programs = ProgramCache.ofUser(MODULE).folder();
        Path log = controlPlane.folder().resolve("logs/" + name + ".log");
        try {
            Path kubeconfig = controlPlane.kubeconfig(NAMESPACE, AccountToken.request(client, NAMESPACE, ACCOUNT));
            Path file = Files.writeString(controlPlane.folder().resolve("descheduler.yaml"), POLICY);
            ProcessBuilder builder = new ProcessBuilder(
                    programs.resolve("bin/descheduler").toString(),
                    "--kubeconfig=" + kubeconfig,
                    "--policy-config-file=" + file,
                    "--secure-port=0",
                    "--v=1");
            builder.environment().putAll(Map.of("TZ", "UTC"));
            builder.redirectErrorStream(true).redirectOutput(log.toFile());
            return new Descheduler(ChildProcesses.start(builder), log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the files of the descheduler", e);
        }
    }

    /**
     * Installs the descheduler's ServiceAccount and RBAC objects in a namespace of their own. The manifest has them in
     * kube-system, but the audit log omits ServiceAccounts of kube-system.
     */
    public static void install(KubernetesClient client) {
        List<String> rbac = lines(ProgramCache.ofUser(MODULE).folder().resolve("manifests/rbac.yaml"));
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        String moved = String.join("\n", rbac).replace("namespace: kube-system", "namespace: " + NAMESPACE);
        client.load(new ByteArrayInputStream(moved.getBytes(StandardCharsets.UTF_8)))
                .inNamespace(NAMESPACE)
                .create();
    }

    /** {@return whether the descheduler's process still runs} */
    public boolean runs() {
        return process.isAlive();
    }

    /**
     * Waits until the descheduler has ended. Returns the nodes from which it would have evicted a pod if its limit were
     * not 0 evictions.
     *
     * @throws IllegalStateException if its exit code is not 0
     */
    public Set<String> stoppedAt() throws InterruptedException {
        int code = process.waitFor();
        if (code != 0) {
            throw new IllegalStateException("the descheduler ended with exit code " + code + "; its log is " + log);
        }
        return stoppedAt(lines(log));
    }

    /** {@return the nodes that the lines of its log, in klog's text format, name for a stopped eviction} */
    static Set<String> stoppedAt(List<String> lines) {
        return lines.stream()
                .filter(line -> line.contains("\"Error evicting pod\""))
                .flatMap(line -> NODE.matcher(line).results())
                .map((MatchResult node) -> node.group(1))
                .collect(Collectors.toSet());
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** {@return the process id} */
    public long pid() {
        return process.pid();
    }

    /** Kills the process if it still runs. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
