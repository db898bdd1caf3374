package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a command ends after a failure or the death of a thread. */
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

    private static void die(String name) throws InterruptedException {
        Thread.ofPlatform()
                .name(name)
                .start(() -> {
                    throw new IllegalStateException("closed");
                })
                .join();
    }

    @Test
    void theDeathOfAThreadIsAFailureFromTheBeginningOn() throws Exception {
        try (CommandLifetime lifetime = CommandLifetime.begin(halted::complete, LATE)) {
            die("of a library");

            lifetime.await();
            assertThat(lifetime.failure())
                    .contains("thread \"of a library\" died: java.lang.IllegalStateException: closed");
        }
    }

    @Test
    void theDeathOfAThreadWhileTheCommandEndsIsNoFailure() throws Exception {
        try (CommandLifetime lifetime = CommandLifetime.begin(halted::complete, LATE)) {
            // As a signal does.
            Thread.currentThread().interrupt();
            lifetime.await();

            die("of a library");

            assertThat(lifetime.failure()).isEmpty();
        }
    }

    @Test
    void aCommandThatIsClosedNoLongerHearsOfDeaths() {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();

        CommandLifetime.begin(halted::complete, LATE).close();

        assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(before);
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
