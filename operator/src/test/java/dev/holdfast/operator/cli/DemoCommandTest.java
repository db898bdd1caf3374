package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DemoCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int demo(String... arguments) {
        return CommandRun.printingTo(Path.of(""), out, err).execute(arguments);
    }

    @Test
    void theSimulatedScenesEndAsExpected() {
        assertThat(demo("demo", "--simulated")).isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .startsWith("  0.0s  simulated, without a cluster: ")
                .endsWith("\nAll 6 scenes ended as expected.\n");
        assertThat(out.toString()).doesNotContain("| Placement");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void verbosePrintsTheEventsOfEachScene() {
        assertThat(demo("demo", "--simulated", "--verbose")).isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .contains("| PlacementEvicted Pod node-affinity/web-1: ")
                .contains("| PlacementMoved PlacementPolicy node-affinity/keep: Pod node-affinity/web-1: Moved from ");
    }

    @Test
    void withoutSimulatedItNamesTheRealDemo() {
        assertThat(demo("demo")).isEqualTo(ExitCode.USAGE);

        assertThat(err.toString()).isEqualTo("""
            holdfast: the real demo needs the source tree, where it is ./holdfast demo; without it: holdfast demo --simulated
            Try: holdfast demo --help
            """);
        assertThat(out.toString()).isEmpty();
    }
}
