package dev.holdfast.it.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.controlplane.AccountToken;
import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.SharedControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast check} on a real cluster, with accounts that may only list, or only list and watch. */
@ExtendWith(SharedControlPlane.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CheckIT {
    private static final String NAMESPACE = "checked";
    private static final String USER = "system:serviceaccount:" + NAMESPACE + ":reader";

    private final ControlPlane controlPlane;
    private final KubernetesClient client;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    CheckIT(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
        this.client =
                new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    }

    @AfterAll
    void close() {
        client.close();
    }

    /** What a command has printed. */
    private record Printed(int exitCode, String out, String err) {}

    private static String reader() throws IOException {
        try (InputStream text = Objects.requireNonNull(CheckIT.class.getResourceAsStream("reader.yaml"))) {
            return new String(text.readAllBytes(), UTF_8);
        }
    }

    private Process start(String... arguments) throws IOException {
        // A shell that starts the tests in the background makes their children ignore SIGINT; this resets it.
        List<String> command = new ArrayList<>(List.of(
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.holdfast.operator.Main"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
    }

    private Printed holdfast(String... arguments) throws IOException, InterruptedException {
        return printed(start(arguments));
    }

    private Printed printed(Process process) throws IOException, InterruptedException {
        int code = process.waitFor();
        return new Printed(code, text("out"), text("err"));
    }

    private String text(String file) throws IOException {
        return Files.readString(folder.resolve(file), UTF_8);
    }

    @Test
    void aReaderSeesWhatIsViolatedAndSendsNothingButLists() throws IOException, InterruptedException {
        Stage stage = Stage.open(client, NAMESPACE)
                .node("n1", "disk=ssd")
                .node("n2", "disk=hdd")
                .deployment("web", 1, "nodeSelector: {pool: $NS, disk: ssd}")
                .apply("""
                    apiVersion: v1
                    kind: ServiceAccount
                    metadata: {name: reader}
                    """);
        client.load(new ByteArrayInputStream(reader().getBytes(UTF_8))).create();
        await("the pod runs")
                .atMost(TimeLimits.STATE)
                .until(() -> stage.running("web").size() == 1);
        String pod = stage.names("web").getFirst();
        stage.label("n1", "disk", "hdd");
        Path kubeconfig = controlPlane.kubeconfig("reader", AccountToken.request(client, NAMESPACE, "reader"));

        Config context = Serialization.unmarshal(Files.readString(kubeconfig), Config.class);
        context.getContexts().forEach(it -> it.getContext().setNamespace(NAMESPACE));
        Files.writeString(kubeconfig, Serialization.asYaml(context));

        // Other tests leave policies in the cluster, so that pods are no longer held to their own rules by default.
        Path policy = Files.writeString(folder.resolve("policy.yaml"), """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: checked, name: own}
            spec: {}
            """);
        Printed printed = holdfast(
                "check",
                "--kubeconfig",
                kubeconfig.toString(),
                "--policy",
                policy.toString(),
                "-n",
                NAMESPACE,
                "-o",
                "json");

        assertThat(printed.exitCode()).as(printed.err()).isEqualTo(1);
        JsonNode report = new ObjectMapper().readTree(printed.out());
        assertThat(report.path("violations")).hasSize(1);
        assertThat(report.at("/violations/0/pod").asText()).isEqualTo(pod);
        assertThat(report.at("/violations/0/killedByKubeletRestart").asBoolean())
                .isTrue();
        Printed explained = holdfast("explain", "pod/" + pod, "--kubeconfig", kubeconfig.toString());
        assertThat(explained.exitCode())
                .as("the namespace is that of the context: %s", explained.err())
                .isZero();
        assertThat(explained.out()).startsWith("Pod " + NAMESPACE + "/" + pod + " on ");
        Printed foreseen = holdfast(
                "what-if",
                "--kubeconfig",
                kubeconfig.toString(),
                "--policy",
                policy.toString(),
                "--label",
                "-l",
                "disk=hdd",
                "disk=ssd",
                "--until",
                "5m",
                "--fail-on",
                "never",
                "-o",
                "json");
        assertThat(foreseen.exitCode()).as(foreseen.err()).isZero();
        assertThat(new ObjectMapper().readTree(foreseen.out()).path("ends"))
                .extracting(end -> end.path("pod").asText())
                .contains(pod);
        assertThat(foreseen.err())
                .contains("the right to list /apis/policy/v1/poddisruptionbudgets is missing")
                .contains("the right to list /api/v1/persistentvolumeclaims is missing");
        assertThat(controlPlane.auditTrail().records())
                .filteredOn(record -> record.user().equals(USER))
                .isNotEmpty()
                .extracting(AuditRecord::verb)
                .containsOnly("list");
    }

    @Test
    void aWatcherSeesEachChangeUntilCtrlC() throws IOException, InterruptedException {
        String namespace = "watched";
        Stage stage = Stage.open(client, namespace)
                .node("n1", "disk=ssd")
                .deployment("web", 1, "nodeSelector: {pool: $NS, disk: ssd}")
                .apply("""
                    apiVersion: v1
                    kind: ServiceAccount
                    metadata: {name: watcher}
                    """);
        client.load(new ByteArrayInputStream(reader().replace("reader", "watcher")
                        .replace("checked", namespace)
                        .replace("[list]", "[list, watch]")
                        .getBytes(UTF_8)))
                .create();
        await("the pod runs")
                .atMost(TimeLimits.STATE)
                .until(() -> stage.running("web").size() == 1);
        String pod = stage.names("web").getFirst();
        Path policy = Files.writeString(folder.resolve("policy.yaml"), """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: watched, name: own}
            spec: {podSelector: {}, mode: Enforce, forgivenessSeconds: 1}
            """);
        Process watch = start(
                "check",
                "--watch",
                "--kubeconfig",
                controlPlane
                        .kubeconfig("watcher", AccountToken.request(client, namespace, "watcher"))
                        .toString(),
                "--policy",
                policy.toString(),
                "-n",
                namespace);
        try {
            ConditionFactory soon =
                    await().atMost(TimeLimits.STATE).failFast("the command ended", () -> !watch.isAlive());
            String of = " " + namespace + " " + pod;
            soon.untilAsserted(() -> assertThat(words()).containsExactly("EVENT NAMESPACE POD"));
            stage.label("n1", "disk", "hdd");
            soon.untilAsserted(
                    () -> assertThat(words()).containsExactly("EVENT NAMESPACE POD", "BEGAN" + of, "DUE" + of));
            stage.label("n1", "disk", "ssd");
            soon.untilAsserted(() -> assertThat(words()).endsWith("DUE" + of, "ENDED" + of));
            assertThat(text("out")).contains("label disk of node " + namespace + "-n1 changed hdd -> ssd");

            new ProcessBuilder("kill", "-INT", Long.toString(watch.pid()))
                    .start()
                    .waitFor();

            assertThat(watch.waitFor()).isEqualTo(130);
        } finally {
            watch.destroyForcibly();
        }
        assertThat(text("err")).doesNotContain("interrupted").doesNotContain("is lost");
        assertThat(controlPlane.auditTrail().records())
                .filteredOn(record -> record.user().equals("system:serviceaccount:" + namespace + ":watcher"))
                .isNotEmpty()
                .extracting(AuditRecord::verb)
                .containsOnly("list", "watch");
    }

    /** {@return the event, namespace and pod of each line} */
    private List<String> words() throws IOException {
        return text("out")
                .lines()
                .map(line -> line.split(" {3,}", -1))
                .map(cells -> cells[0] + " " + cells[2] + " " + cells[3])
                .toList();
    }

    @Test
    void anAccountWithoutRightsIsOneMessage() throws IOException, InterruptedException {
        Path kubeconfig = controlPlane.kubeconfig("unknown-user", "no-such-token");

        Printed printed = holdfast("check", "--kubeconfig", kubeconfig.toString());

        assertThat(printed.exitCode()).isEqualTo(3);
        assertThat(printed.out()).isEmpty();
        assertThat(printed.err().lines()).hasSize(1);
        assertThat(printed.err())
                .startsWith("holdfast: cannot list /api/v1/namespaces: ")
                .contains("Unauthorized");
    }
}
