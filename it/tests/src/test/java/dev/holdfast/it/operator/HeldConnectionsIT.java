package dev.holdfast.it.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.SharedControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.KubeletProbe;
import dev.holdfast.it.scenario.OperatorProcess;
import io.fabric8.kubernetes.api.model.Container;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The kubelet acts on no probe of the chart while clients hold many connections to both ports open. */
@ExtendWith(SharedControlPlane.class)
class HeldConnectionsIT {
    private static final int EACH = 1_000;
    private static final int PROBES = 10;
    private static final int LONGEST_HOLD_MILLIS = 15_000;

    private final ControlPlane controlPlane;
    private final List<Socket> held = new ArrayList<>();

    HeldConnectionsIT(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
    }

    static Stream<Arguments> metrics() {
        return Stream.of(
                Arguments.argumentSet("plain metrics", "held-plain", "config.metrics.secure=false"),
                Arguments.argumentSet("secure metrics", "held-secure", "config.metrics.secure=true"));
    }

    @ParameterizedTest
    @MethodSource("metrics")
    void theProbesSucceedWhileAThousandIdleConnectionsAreHeldOnEachPort(String release, String setting)
            throws IOException {
        InstalledChart chart = InstalledChart.installWithOwnLease(controlPlane, release, setting);
        try (OperatorProcess operator = OperatorProcess.start(
                chart.kubeconfig(), chart.config(), controlPlane.folder().resolve("logs/" + release + ".log"))) {
            await("the operator is ready").atMost(TimeLimits.STATE).until(operator::isReady);

            hold(operator.metricsPort());
            hold(operator.port());

            theProbesSucceed(chart.container(), operator);
            assertThat(operator.log())
                    .as("failures of the servers")
                    .noneMatch(line -> line.contains("Failed to serve"));
            theServerHasClosedThem();
        } finally {
            release();
            chart.uninstall();
        }
    }

    private void hold(int port) throws IOException {
        for (int i = 0; i < EACH; i++) {
            held.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }
    }

    private static void theProbesSucceed(Container container, OperatorProcess operator) {
        List<KubeletProbe> probes = List.of(
                KubeletProbe.of(container.getLivenessProbe(), operator.port()),
                KubeletProbe.of(container.getReadinessProbe(), operator.port()));
        for (int i = 0; i < PROBES; i++) {
            assertThat(probes)
                    .allSatisfy(probe ->
                            assertThat(probe.askToTheThreshold().failure()).isEmpty());
        }
    }

    private void theServerHasClosedThem() throws IOException {
        for (Socket socket : held) {
            socket.setSoTimeout(LONGEST_HOLD_MILLIS);
            assertThat(isClosed(socket)).isTrue();
        }
    }

    /** {@return whether the server has closed the connection; it may do so with a reset} */
    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() == -1;
        } catch (SocketException _) {
            return true;
        }
    }

    private void release() throws IOException {
        for (Socket socket : held) {
            socket.close();
        }
    }
}
