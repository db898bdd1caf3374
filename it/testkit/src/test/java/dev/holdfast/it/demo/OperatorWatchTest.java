package dev.holdfast.it.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.operator.offline.demo.Narrator;
import dev.holdfast.operator.offline.demo.TerminalCapabilities;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How {@link OperatorWatch} reports the end of an operator. The operators here end at once, without a kubeconfig. */
@Timeout(value = TimeLimits.TEST_MINUTES, unit = TimeUnit.MINUTES)
class OperatorWatchTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Narrator narrator = new Narrator(
            new PrintWriter(out, false, UTF_8),
            () -> Instant.EPOCH,
            TerminalCapabilities.NONE,
            Narrator.Detail.SUMMARY);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    private Path log() {
        return folder.resolve("operator.log");
    }

    private OperatorProcess start() {
        return OperatorProcess.start(folder.resolve("missing"), "", log());
    }

    private static final String EXPECTED =
            "  0.0s  !!! the operator ended by itself with exit code 3;\n        no rule is enforced any more; log: ";

    @Test
    void anOperatorThatEndsIsReported() {
        try (OperatorProcess operator = start();
                OperatorWatch _ = OperatorWatch.over(operator, log(), narrator)) {
            await().atMost(TimeLimits.STATE).until(() -> out.size() > 0);
        }
        assertThat(out.toString(UTF_8)).isEqualTo(EXPECTED + log() + "\n");
    }

    @Test
    void oneThatHadEndedBeforeIsReportedToo() {
        try (OperatorProcess operator = start()) {
            operator.exitCode();

            try (OperatorWatch _ = OperatorWatch.over(operator, log(), narrator)) {
                await().atMost(TimeLimits.STATE).until(() -> out.size() > 0);
            }
        }
        assertThat(out.toString(UTF_8)).isEqualTo(EXPECTED + log() + "\n");
    }

    @Test
    void oneThatTheDemoEndsIsNotReported() {
        try (OperatorProcess operator = start()) {
            OperatorWatch.over(operator, log(), narrator).close();
            operator.exitCode();
        }
        assertThat(out.toString(UTF_8)).isEmpty();
    }
}
