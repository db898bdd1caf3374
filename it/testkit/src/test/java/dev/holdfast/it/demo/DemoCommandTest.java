package dev.holdfast.it.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.operator.offline.demo.TerminalCapabilities;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class DemoCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private boolean built;
    private final CommandLine command = DemoCommand.commandLine(
                    new PrintStream(out, true, UTF_8),
                    new PrintStream(err, true, UTF_8),
                    () -> Instant.EPOCH,
                    TerminalCapabilities.NONE,
                    new DemoCommand.Launcher(() -> built, DemoCommandTest::fail))
            .setOut(new PrintWriter(out, true, UTF_8));

    private static ControlPlane fail() {
        throw new IllegalStateException("this machine has no control plane");
    }

    private List<String> printed() {
        return out.toString(UTF_8).lines().toList();
    }

    @Test
    void whileTheControlPlaneIsBuiltTheScenesArePlayedOnTheSimulator() {
        assertThat(command.execute()).isEqualTo(3);

        assertThat(printed())
                .startsWith(
                        "  0.0s  building a local control plane, about ten minutes once: etcd, kube-apiserver,"
                                + " controllers,",
                        "        scheduler, kwok;",
                        "        meanwhile, here are the scenes on the simulator")
                .contains("All 6 scenes ended as expected.")
                .endsWith("", "  0.0s  the same scenes follow on the real control plane, once it is built");
        assertThat(err.toString(UTF_8)).isEqualTo("holdfast demo: this machine has no control plane\n");
    }

    @Test
    void onceTheControlPlaneIsBuiltOnlyTheRealScenesArePlayed() {
        built = true;

        assertThat(command.execute()).isEqualTo(3);

        assertThat(printed())
                .containsExactly(
                        "  0.0s  starting a local control plane: etcd, kube-apiserver, controllers, scheduler, kwok");
    }

    @Test
    void realSimulatesNothing() {
        assertThat(command.execute("--real")).isEqualTo(3);

        assertThat(printed()).hasSize(1);
    }

    @Test
    void simulatedStartsNoControlPlane() {
        assertThat(command.execute("--simulated")).isZero();

        assertThat(printed()).last().isEqualTo("All 6 scenes ended as expected.");
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--real", "--keep"})
    void simulatedTakesNoCluster(String other) {
        assertThat(command.execute("--simulated", other)).isEqualTo(2);

        assertThat(err.toString(UTF_8))
                .isEqualTo("holdfast demo: --simulated takes no cluster: leave out " + other
                        + "\nTry: holdfast demo --help\n");
        assertThat(out.toString(UTF_8)).isEmpty();
    }

    @Test
    void itsHelpDescribesItsOptions() {
        assertThat(command.execute("--help")).isZero();

        assertThat(out.toString(UTF_8))
                .startsWith("Usage: holdfast demo [-h] [--keep] [--real] [--simulated] [--verbose]")
                .contains("Leaves the cluster up after the last scene", "Prints the full text of every event");
    }

    @Test
    void theFarewellNamesWhatCouldNotBeRemoved() {
        assertThat(DemoCommand.farewell(List.of())).isEqualTo("stopped: nothing of the demo is left");
        assertThat(DemoCommand.farewell(List.of("cannot delete /tmp/x", "etcd (process 7) does not die")))
                .isEqualTo("stopped, but not everything could be removed: cannot delete /tmp/x; etcd (process 7) does"
                        + " not die. The next demo tries again");
    }

    @Test
    void anUnknownArgumentIsNamed() {
        assertThat(command.execute("--kepe")).isEqualTo(2);

        assertThat(err.toString(UTF_8))
                .isEqualTo("holdfast demo: Unknown option: '--kepe'\nTry: holdfast demo --help\n");
        assertThat(out.toString(UTF_8)).isEmpty();
    }
}
