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
public final class Descheduler {
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

    private Descheduler() {}

    /** Builds the descheduler if it is not in the cache, so that no measurement includes the build. */
    public static void build() {
        var _ = ProgramCache.ofUser(MODULE).folder();
    }

    /**
     * Starts the descheduler, which ends after one check of all pods. {@link #install} must have been called before.
     *
     * @param log the file to which it writes its log
     */
    public static Process start(ControlPlane controlPlane, KubernetesClient client, Path log) {
        Path programs = ProgramCache.ofUser(MODULE).folder();
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
            return ChildProcesses.start(builder);
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

    /**
     * {@return the nodes from which it would have evicted a pod if its limit were not 0 evictions}
     *
     * @param log the file with the log of a descheduler that has ended
     */
    public static Set<String> stoppedAt(Path log) {
        return lines(log).stream()
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
}
