package dev.holdfast.it.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.Processes;
import dev.holdfast.it.controlplane.SharedControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The demo, interrupted in the middle. */
@Timeout(value = TimeLimits.TEST_MINUTES, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class DemoEndingIT {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    @BeforeAll
    static void build() {
        SharedControlPlane.buildPrograms();
    }

    @Test
    void anOperatorThatEndsIsReportedAndCtrlCEndsAllInOrderAndLeavesNothingBehind()
            throws IOException, InterruptedException {
        try (DemoProcess demo = DemoProcess.start(folder)) {
            demo.toldUntil("ready: 6 policies");
            Path work = demo.workFolder();
            List<ProcessHandle> started = demo.descendants();
            assertThat(started).hasSize(6).noneMatch(demo::isOfTheJob);

            assertThat(started)
                    .filteredOn(DemoEndingIT::isOperator)
                    .singleElement()
                    .matches(ProcessHandle::destroyForcibly);
            demo.toldUntil("!!! the operator ended by itself with exit code 137");

            demo.interrupt();

            assertThat(demo.toldUntil("stopped"))
                    .noneMatch(line -> line.contains("ended by itself"))
                    .last()
                    .asString()
                    .endsWith("s  stopped: nothing of the demo is left");
            assertThat(work).doesNotExist();
            assertThat(demo.toldToTheEnd()).isEmpty();
            assertThat(demo.exitCode()).isEqualTo(128 + 2);
            await().atMost(TimeLimits.STATE).until(() -> Processes.naming(work).isEmpty());
        }
    }

    /** {@return whether a process is the operator} It is then the only Java process that the demo has started. */
    private static boolean isOperator(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("/java");
    }
}
