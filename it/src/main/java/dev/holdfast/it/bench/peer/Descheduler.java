package dev.holdfast.it.bench.peer;

import dev.holdfast.it.controlplane.AccountToken;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.GoModule;
import dev.holdfast.it.controlplane.GoTool;
import dev.holdfast.it.controlplane.Leash;
import dev.holdfast.it.controlplane.ProgramCache;
import dev.holdfast.policies.rule.RuleKind;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The descheduler as a process of its own, with the rights of its own manifest, looking at all pods each few seconds.
 *
 * <p>It may evict nobody: it is given a limit of 0 evictions a namespace, and says in its log for which pod the limit
 * stopped it. Its own dry run would not do, since that does not see all violations.
 */
public final class Descheduler implements AutoCloseable {
    /** How long it waits between two looks. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    /** The kinds of rules it knows; it has nothing for pod affinity. */
    public static final List<RuleKind> KINDS =
            List.of(RuleKind.NODE_AFFINITY, RuleKind.POD_ANTI_AFFINITY, RuleKind.TOPOLOGY_SPREAD);

    private static final String NAMESPACE = "descheduler";
    private static final String ACCOUNT = "descheduler-sa";
    private static final Duration FAREWELL = Duration.ofSeconds(10);

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
        maxNoOfPodsToEvictPerNamespace: 0
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

    private final Process process;
    private final Path log;

    private Descheduler(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** {@return its version, with a v} */
    public static String version() {
        return MODULE.version();
    }

    /** {@return the user that it is to the API server} */
    public static String user() {
        return "system:serviceaccount:" + NAMESPACE + ":" + ACCOUNT;
    }

    /** Builds it if this is the first time, so that nothing else has to wait for that later. */
    public static void build() {
        var _ = ProgramCache.ofUser(MODULE).folder();
    }

    /** Installs its rights and starts it. */
    public static Descheduler start(ControlPlane controlPlane, KubernetesClient client) {
        Path programs = ProgramCache.ofUser(MODULE).folder();
        Path log = controlPlane.folder().resolve("logs/descheduler.log");
        try {
            install(client, Files.readString(programs.resolve("manifests/rbac.yaml")));
            Path kubeconfig = controlPlane.kubeconfig(NAMESPACE, AccountToken.request(client, NAMESPACE, ACCOUNT));
            Path policy = Files.writeString(controlPlane.folder().resolve("descheduler.yaml"), POLICY);
            ProcessBuilder builder = new ProcessBuilder(
                    programs.resolve("bin/descheduler").toString(),
                    "--kubeconfig=" + kubeconfig,
                    "--policy-config-file=" + policy,
                    "--descheduling-interval=" + INTERVAL.toSeconds() + "s",
                    "--secure-port=0",
                    // Says when a cycle has ended, and names a pod as soon as it is found.
                    "--v=1");
            builder.environment().putAll(Map.of("TZ", "UTC"));
            builder.redirectErrorStream(true).redirectOutput(log.toFile());
            return new Descheduler(Leash.start(builder), log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read or write the files of the descheduler", e);
        }
    }

    /** Its manifest has it in kube-system, whose accounts are not in the audit log. */
    private static void install(KubernetesClient client, String rbac) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        String moved = rbac.replace("namespace: kube-system", "namespace: " + NAMESPACE);
        client.load(new ByteArrayInputStream(moved.getBytes(StandardCharsets.UTF_8)))
                .inNamespace(NAMESPACE)
                .create();
    }

    /** {@return how many times it has looked at everything} */
    public long cycles() {
        return DeschedulerLog.cycles(lines());
    }

    /** {@return when its log first named one of these pods; not before the time given} */
    public Optional<Instant> named(String namespace, Collection<String> pods, Instant after) {
        return DeschedulerLog.firstNaming(lines(), namespace, pods, after);
    }

    private List<String> lines() {
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    "the descheduler ended with exit code " + process.exitValue() + "; its log is " + log);
        }
        try {
            return Files.readAllLines(log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + log, e);
        }
    }

    /** {@return the process id} */
    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        stop();
    }

    /** Ends it, and waits until it is gone. */
    public void stop() {
        process.destroy();
        try {
            if (!process.waitFor(FAREWELL)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
