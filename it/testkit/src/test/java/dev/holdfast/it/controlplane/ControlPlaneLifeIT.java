package dev.holdfast.it.controlplane;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** How a control plane starts and ends, and its messages when the start fails. */
@Timeout(value = TimeLimits.TEST_MINUTES, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class ControlPlaneLifeIT {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path temporary;

    /** A first build takes longer than a test may. */
    @BeforeAll
    static void build() {
        SharedControlPlane.buildPrograms();
    }

    @Test
    void aTemporaryFolderGoesAwayWithItsProcesses() throws IOException {
        ControlPlane controlPlane = ControlPlane.start();
        Path folder = controlPlane.folder();
        assertThat(Processes.naming(folder)).hasSize(5);

        controlPlane.close();

        assertThat(Processes.naming(folder)).isEmpty();
        assertThat(folder).doesNotExist();
        // A restarted etcd would create the deleted folder again.
        assertThatThrownBy(() -> controlPlane.restart(Program.ETCD)).isInstanceOf(ControlPlaneException.class);
    }

    @Test
    void anApiServerThatIsStoppedAndRestartedHasItsObjectsAndItsControllersStill() {
        try (ControlPlane controlPlane = ControlPlane.start();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(new ConfigBuilder(controlPlane.config())
                                .withRequestRetryBackoffLimit(0)
                                .build())
                        .build()) {
            TestNamespace namespace = TestNamespace.create(client);
            controlPlane.stop(Program.KUBE_APISERVER);
            assertThatThrownBy(() -> namespace.createNode("meanwhile")).isInstanceOf(KubernetesClientException.class);

            controlPlane.restart(Program.KUBE_APISERVER);

            assertThat(client.namespaces().withName(namespace.name()).get()).isNotNull();
            String node = namespace.createNode("after");
            await().atMost(TimeLimits.STATE).until(() -> NodeObjects.isSchedulable(namespace.node(node)));
        }
    }

    @Test
    void aJvmThatIsKilledLeavesNoProcessBehind() throws IOException, InterruptedException {
        Path folder = temporary.resolve("work");
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = jvm.inputReader(UTF_8)) {
            assertThat(output.readLine())
                    .isEqualTo(folder.resolve("admin.kubeconfig").toString());
        }
        assertThat(Processes.naming(folder)).hasSize(6);

        jvm.destroyForcibly().waitFor();

        await().atMost(TimeLimits.STATE).until(() -> Processes.naming(folder).isEmpty());
        assertThat(folder.resolve("audit.log")).exists();
    }

    @Test
    void aProcessOutlivesTheThreadThatAskedForIt() throws Exception {
        FutureTask<Process> start = new FutureTask<>(() -> ChildProcesses.start(new ProcessBuilder("sleep", "600")));
        Thread asking = new Thread(start);
        asking.start();
        asking.join();

        Process process = start.get();

        // Had the end of the thread sent the parent-death signal, the process would be dead by now.
        assertThat(process.waitFor(1, TimeUnit.SECONDS)).isFalse();
        process.destroyForcibly();
    }

    @Test
    void aServerThatEndsFailsTheStartWithItsLog() throws IOException {
        Programs broken = brokenScheduler("echo my configuration is not to my taste; exit 3");
        Path folder = temporary.resolve("work");

        assertThatThrownBy(() -> ControlPlane.start(broken, WorkFolder.kept(folder), Ports.free()))
                .isInstanceOf(ControlPlaneException.class)
                .hasMessageStartingWith("kube-scheduler ended with exit code 3")
                .hasMessageContaining("---- kube-scheduler\nmy configuration is not to my taste");
        assertThat(Processes.naming(folder)).isEmpty();
        // JUnit logs a warning for each link that it deletes itself.
        FolderDeletion.delete(broken.folder());
    }

    private Programs brokenScheduler(String script) throws IOException {
        Programs real = Programs.ofUser();
        Path folder = temporary.resolve("programs");
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Files.createSymbolicLink(folder.resolve("stages"), real.folder().resolve("stages"));
        for (Program program : EnumSet.complementOf(EnumSet.of(Program.KUBE_SCHEDULER))) {
            Files.createSymbolicLink(bin.resolve(program.label()), real.binary(program));
        }
        Path scheduler = Files.writeString(bin.resolve(Program.KUBE_SCHEDULER.label()), "#!/bin/sh\n" + script + "\n");
        assertThat(scheduler.toFile().setExecutable(true)).isTrue();
        return new Programs(folder);
    }

    @Test
    void anOccupiedPortFailsTheStartWithTheLogOfTheServerThatWantedIt() throws IOException {
        Path folder = temporary.resolve("work");
        Programs programs = Programs.ofUser();
        Ports free = Ports.free();
        try (ServerSocket occupied = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Ports ports = new Ports(occupied.getLocalPort(), free.etcdClient(), free.etcdPeer());

            assertThatThrownBy(() -> ControlPlane.start(programs, WorkFolder.kept(folder), ports))
                    .isInstanceOf(ControlPlaneException.class)
                    .hasMessageStartingWith("kube-apiserver ended with exit code 1")
                    .hasMessageContaining("bind: address already in use");
        }
        assertThat(Processes.naming(folder)).isEmpty();
    }

    @Test
    void freePortsAreThreeDifferentOnes() {
        Ports ports = Ports.free();

        assertThat(List.of(ports.apiServer(), ports.etcdClient(), ports.etcdPeer()))
                .doesNotHaveDuplicates();
    }
}
