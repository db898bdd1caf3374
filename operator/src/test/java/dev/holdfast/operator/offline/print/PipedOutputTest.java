package dev.holdfast.operator.offline.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a failure of standard output ends the process. */
class PipedOutputTest {
    @TempDir
    private Path openFiles;

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "a pipe that nothing reads; in any language, pipe:[4711], Datenleitung unterbrochen, 141",
                "a pipe where the open files are not known, /dev/null, Broken pipe, 141",
                "a full disk is an error that a command reports, /report.json, No space left on device, 0"
            })
    void aClosedPipeEndsTheProcess(String row, String opened, String failure, int code) throws IOException {
        Files.createSymbolicLink(openFiles.resolve("1"), Path.of(opened));
        List<Integer> ended = new ArrayList<>();
        Terminal terminal = new Terminal(openFiles, Map.of());
        OutputStream failing = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException(failure);
            }
        };

        assertThatThrownBy(() -> new PipedOutput(failing, terminal, ended::add).write(new byte[] {1}, 0, 1))
                .as(row)
                .hasMessage(failure);
        assertThat(ended).isEqualTo(code == 0 ? List.of() : List.of(code));
    }
}
