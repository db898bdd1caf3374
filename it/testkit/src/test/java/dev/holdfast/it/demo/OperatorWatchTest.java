package dev.holdfast.it.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.scenario.OperatorProcess;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operators that end at once: they have no kubeconfig. */
@Timeout(60)
class OperatorWatchTest {
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private final Narrator narrator = new Narrator(new PrintStream(told, true, UTF_8), () -> Instant.EPOCH);

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
            "  0.0s  !!! the operator ended by itself with exit code 3, and keeps no rule any more; its log is ";

    @Test
    void anOperatorThatEndsIsTold() {
        try (OperatorProcess operator = start();
                OperatorWatch _ = OperatorWatch.over(operator, log(), narrator)) {
            await().until(() -> told.size() > 0);
        }
        assertThat(told.toString(UTF_8)).isEqualTo(EXPECTED + log() + "\n");
    }

    @Test
    void oneThatHadEndedBeforeIsToldToo() {
        try (OperatorProcess operator = start()) {
            operator.exitCode();

            try (OperatorWatch _ = OperatorWatch.over(operator, log(), narrator)) {
                await().until(() -> told.size() > 0);
            }
        }
        assertThat(told.toString(UTF_8)).isEqualTo(EXPECTED + log() + "\n");
    }

    @Test
    void oneThatIsEndedByTheDemoIsNotTold() {
        try (OperatorProcess operator = start()) {
            OperatorWatch.over(operator, log(), narrator).close();
            operator.exitCode();
        }
        assertThat(told.toString(UTF_8)).isEmpty();
    }
}
