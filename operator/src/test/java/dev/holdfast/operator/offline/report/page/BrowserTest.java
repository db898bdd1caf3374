package dev.holdfast.operator.offline.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a browser for tests is found. */
class BrowserTest {
    @TempDir
    private Path folder;

    @Test
    void aMachineMayHaveNone() {
        assertThat(Browser.on("")).isEmpty();
        assertThat(Browser.on(folder.toString())).isEmpty();
    }

    @Test
    void theFirstProgramOnThePathIsTaken() throws IOException {
        Path chrome = Files.createFile(folder.resolve("google-chrome"));
        assertThat(Browser.on(folder.toString())).isEmpty();

        assertThat(chrome.toFile().setExecutable(true)).isTrue();

        assertThat(Browser.on(folder.resolve("none") + File.pathSeparator + folder))
                .contains(new Browser(chrome));
    }
}
