package dev.holdfast.operator.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Tests that every entry is written or counted as lost. */
class BoundedAppenderTest {
    private static final int THREADS = 8;
    private static final int ENTRIES = 500;

    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final Logger logger = context.getLogger(BoundedAppenderTest.class);

    /** Writes nothing until it may; keeps what it has written. */
    private static final class SlowReader extends AppenderBase<ILoggingEvent> {
        private final CountDownLatch reads = new CountDownLatch(1);
        private final List<ILoggingEvent> read = new ArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            boolean interrupted = false;
            while (true) {
                try {
                    reads.await();
                    break;
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            read.add(event);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void anEntryThatThreadsRaceForIsWrittenOrCounted(int capacity) throws InterruptedException {
        SlowReader reader = new SlowReader();
        reader.setContext(context);
        reader.start();
        BoundedAppender appender = new BoundedAppender(reader, capacity);
        appender.setContext(context);
        appender.start();

        List<Thread> threads = Stream.generate(() -> Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < ENTRIES; i++) {
                        appender.doAppend(
                                new LoggingEvent("test", logger, Level.INFO, "entry " + i, null, new Object[0]));
                    }
                }))
                .limit(THREADS)
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        reader.reads.countDown();
        appender.stop();

        long lost = reader.read.stream()
                .filter(event -> event.getKeyValuePairs() != null)
                .flatMap(event -> event.getKeyValuePairs().stream())
                .mapToLong(pair -> (Long) pair.value)
                .sum();
        long written = reader.read.stream()
                .filter(event -> event.getMessage().startsWith("entry"))
                .count();
        assertThat(written + lost).isEqualTo((long) THREADS * ENTRIES);
    }
}
