package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

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
    void theDeathOfAThreadDuringTheStartIsLogged() throws Exception {
        try (CommandLifetime lifetime = CommandLifetime.begin(halted::complete, SOON)) {
            List<ILoggingEvent> lines = logged(() -> die("of a library"));

            assertThat(halted.get(30, TimeUnit.SECONDS)).isEqualTo(ExitCode.COULD_NOT_RUN);
            assertThat(lines)
                    .extracting(line -> line.getLevel() + " " + line.getMessage() + " " + line.getKeyValuePairs() + " "
                            + line.getThrowableProxy().getMessage())
                    .containsExactly("ERROR Thread died [thread=\"of a library\"] closed");
            assertThat(lifetime.failure()).isPresent();
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    /** {@return the lines that are logged meanwhile} */
    private static List<ILoggingEvent> logged(Action action) throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("holdfast");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            action.run();
        } finally {
            logger.detachAppender(lines);
        }
        return lines.list;
    }

    @Test
    void afterASignalTheDeathOfAThreadWhileTheCommandClosesChangesNoExitCode() throws Exception {
        CommandLifetime lifetime = CommandLifetime.begin(halted::complete, LATE);
        Thread hook = Thread.ofPlatform().start(lifetime::signalled);
        lifetime.await();

        die("of a library");
        assertThat(lifetime.failure()).isEmpty();
        lifetime.fail("thread \"of the operator\" died");
        lifetime.close();

        hook.join();
        assertThat(halted).isCompletedWithValue(ExitCode.OK);
    }

    @Test
    void aSignalAfterAFailureEndsInAFailure() throws Exception {
        CommandLifetime lifetime = CommandLifetime.begin(halted::complete, LATE);
        lifetime.fail("thread \"of the operator\" died");
        Thread hook = Thread.ofPlatform().start(lifetime::signalled);
        lifetime.await();
        lifetime.close();

        hook.join();
        assertThat(halted).isCompletedWithValue(ExitCode.COULD_NOT_RUN);
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
