package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.offline.print.Terminal;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands print to a terminal of 100 columns, and to a pipe. */
class TerminalWidthTest {
    private static final String SHOP = " -f ../docs/samples/shop.yaml";
    private static final int COLUMNS = 100;

    /** No machine has a terminal of this number. */
    private static final Path TERMINAL = Path.of("/dev/pts/4294967295");

    @TempDir
    private Path openFiles;

    private final StringWriter out = new StringWriter();

    private String onTerminal(String arguments) throws IOException {
        return onTerminal(arguments, COLUMNS);
    }

    private String onTerminal(String arguments, int columns) throws IOException {
        Files.createSymbolicLink(openFiles.resolve("1"), TERMINAL);
        Terminal terminal = new Terminal(openFiles, Map.of("COLUMNS", Integer.toString(columns), "NO_COLOR", "1"));
        new CommandRun(openFiles, terminal, out, new StringWriter(), Instant.EPOCH).execute(arguments.split(" "));
        return out.toString();
    }

    @Test
    void theMatrixOfZonesIsShortenedIfItDoesNotFit() throws IOException {
        String zones = Files.readString(Path.of("../docs/samples/zones.yaml"))
                .replaceAll("(zone: |values: \\[)([abc])\\b", "$1europe-west1-$2")
                .replaceAll("name: quorum\\b", "name: quorum-of-the-coordinators-of-payments");
        Path file = Files.writeString(openFiles.resolve("zones.yaml"), zones);

        String printed = onTerminal("zones -f " + file, 80);

        assertThat(printed.lines().takeWhile(line -> !line.isEmpty()).filter(line -> line.contains("   ")))
                .hasSize(7)
                .allMatch(line -> line.length() <= 80)
                .first()
                .asString()
                .endsWith("READY   WITHOUT a    WITHOUT b    WITHOUT c");
    }

    @Test
    void aBreachGoesOnBelowItsBeginning() throws IOException {
        assertThat(onTerminal("check" + SHOP + " -l app=worker")).isEqualTo("""
            NAMESPACE   POD        NODE     ZONE   RULE             BREACH
            shop        worker-1   node-1   a      TopologySpread   topology.kubernetes.io/zone=a has 2 matching
                                                                    pods, the smallest domain c has 0: skew 2,
                                                                    allowed 1
            shop        worker-2   node-2   a      TopologySpread   topology.kubernetes.io/zone=a has 2 matching
                                                                    pods, the smallest domain c has 0: skew 2,
                                                                    allowed 1
            """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "check" + SHOP,
                "check -o summary" + SHOP,
                "explain pod/worker-1 -n shop" + SHOP,
                "explain node/node-1" + SHOP,
                "what-if --policy ../docs/samples/keep.yaml --drain node-2" + SHOP,
                "what-if --remove-node -l topology.kubernetes.io/zone=c -f ../docs/samples/zones.yaml",
                "test ../docs/samples/tests"
            })
    void noLineIsLongerThanTheTerminalIsWide(String arguments) throws IOException {
        assertThat(onTerminal(arguments).lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS));
    }

    @Test
    void aTableWithAllColumnsNeedsAWiderTerminal() throws IOException {
        assertThat(onTerminal("check -o wide" + SHOP, 105).lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(105));
    }

    @Test
    void aPipeGetsOneLineForEachRow() {
        CommandRun.printingTo(Path.of(""), out, new StringWriter()).execute(("check" + SHOP).split(" "));

        assertThat(out.toString().lines()).hasSize(1 + 6).anyMatch(line -> line.length() > COLUMNS);
    }
}
