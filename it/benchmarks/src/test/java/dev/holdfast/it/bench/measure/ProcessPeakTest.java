package dev.holdfast.it.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The peaks of what a process uses. */
class ProcessPeakTest {
    private static final int FILES = 200;
    private static final long NO_PROCESS = 1L << 40;

    @Test
    void filesThatAreOpenForAMomentCount(@TempDir Path folder) throws Exception {
        long self = ProcessHandle.current().pid();
        int before = ProcessPeak.now(self).descriptors();
        try (ProcessPeak.Watch watch = new ProcessPeak.Watch(self)) {
            List<AutoCloseable> open = new ArrayList<>();
            for (int i = 0; i < FILES; i++) {
                open.add(Files.newOutputStream(folder.resolve("file-" + i)));
            }
            await().until(() -> watch.peak().descriptors() >= before + FILES / 2);
            for (AutoCloseable one : open) {
                one.close();
            }

            assertThat(ProcessPeak.now(self).descriptors()).isLessThan(before + FILES / 2);
            assertThat(watch.peak().threads()).isPositive();
            assertThat(watch.peak().residentMiB()).isPositive();
        }
    }

    @Test
    void aProcessThatHasEndedUsesNothing() {
        assertThat(ProcessPeak.now(NO_PROCESS)).isEqualTo(new ProcessPeak(0, 0, 0));
    }
}
