package dev.holdfast.operator.offline.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which outputs of a process are terminals, and how wide. */
class TerminalTest {
    private static final LineWidth EIGHTY = new LineWidth(80);

    @TempDir
    private Path files;

    private void open(String number, String target) throws IOException {
        Files.createSymbolicLink(files.resolve(number), Path.of(target));
    }

    /** JUnit would warn of links that lead out of the folder. */
    @AfterEach
    void closeAll() throws IOException {
        Files.deleteIfExists(files.resolve("1"));
        Files.deleteIfExists(files.resolve("2"));
    }

    static Stream<Arguments> outputs() {
        return Stream.of(
                argumentSet("a window of a desktop or of ssh is a terminal", "/dev/pts/12", EIGHTY),
                argumentSet("the screen of the machine is a terminal", "/dev/tty1", EIGHTY),
                argumentSet("the console of a container is a terminal", "/dev/console", EIGHTY),
                argumentSet("a pipe gets whole lines, even with COLUMNS", "pipe:[4711]", LineWidth.UNLIMITED),
                argumentSet("a file gets whole lines", "/backup/dev/pts/1", LineWidth.UNLIMITED),
                argumentSet("/dev/null is no terminal", "/dev/null", LineWidth.UNLIMITED));
    }

    @ParameterizedTest
    @MethodSource("outputs")
    void onlyATerminalHasAWidth(String output, LineWidth width) throws IOException {
        open("1", output);

        assertThat(new Terminal(files, Map.of("COLUMNS", "80")).width()).isEqualTo(width);
    }

    /** No terminal has this number, so nothing can ask it. */
    @ParameterizedTest
    @CsvSource({"0", "-80", "wide", "''", "99999999999"})
    void theWidthIsNotKnownIfColumnsIsNoPositiveNumberAndTheTerminalDoesNotAnswer(String columns) throws IOException {
        open("1", "/dev/pts/4294967295");

        assertThat(new Terminal(files, Map.of("COLUMNS", columns)).width()).isEqualTo(LineWidth.UNLIMITED);
    }

    @Test
    void aProcessThatClosedItsOutputHasNoTerminal() {
        assertThat(new Terminal(files, Map.of("COLUMNS", "80")).width()).isEqualTo(LineWidth.UNLIMITED);
    }

    @Test
    void standardErrorCountsForItself() throws IOException {
        open("1", "/reports/report.txt");
        open("2", "/dev/pts/12");
        Terminal terminal = new Terminal(files, Map.of());

        assertThat(terminal.showsErrors()).isTrue();
        assertThat(terminal.width()).isEqualTo(LineWidth.UNLIMITED);
    }
}
