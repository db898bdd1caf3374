package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a command ends after a failure. */
@Timeout(60)
class CommandLifetimeTest {
    private static final Duration SOON = Duration.ofMillis(50);
    private static final Duration LATE = Duration.ofHours(1);

    private final CompletableFuture<Integer> halted = new CompletableFuture<>();

    @Test
    void aCommandThatDoesNotCloseAfterAFailureIsHalted() throws Exception {
        try (CommandLifetime lifetime = CommandLifetime.begin(halted::complete, SOON)) {
            lifetime.fail("thread \"a\" died");

            assertThat(halted.get(30, TimeUnit.SECONDS)).isEqualTo(ExitCode.COULD_NOT_RUN);
            assertThat(lifetime.failure()).contains("thread \"a\" died");
        }
    }

    @Test
    void aCommandThatClosesAfterAFailureEndsByItself() throws Exception {
        CommandLifetime lifetime = CommandLifetime.begin(halted::complete, LATE);
        lifetime.fail("first");
        lifetime.fail("second");
        lifetime.await();

        lifetime.close();

        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("holdfast-failed")) {
                thread.join();
            }
        }
        assertThat(halted).isNotDone();
        assertThat(lifetime.failure()).contains("first");
    }
}
