package dev.holdfast.it.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DemoCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CommandLine command = DemoCommand.commandLine(
                    new PrintStream(out, true, UTF_8),
                    new PrintStream(err, true, UTF_8),
                    () -> Instant.EPOCH,
                    Terminal.NONE)
            .setOut(new PrintWriter(out, true, UTF_8));

    @Test
    void itsHelpDescribesItsOptions() {
        assertThat(command.execute("--help")).isZero();

        assertThat(out.toString(UTF_8))
                .startsWith("Usage: holdfast demo [-h] [--keep] [--verbose]")
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
