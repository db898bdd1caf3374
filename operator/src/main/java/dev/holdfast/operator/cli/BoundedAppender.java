package dev.holdfast.operator.cli;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * Writes log entries on its own thread, so that no other thread waits for a slow reader of standard error. While the
 * queue is full, entries are dropped, and the log says how many.
 */
final class BoundedAppender extends AsyncAppender {
    /** The maximum number of entries that wait: about a second of the log of a mass change. */
    static final int QUEUE = 4_096;

    private final LongAdder dropped = new LongAdder();

    BoundedAppender() {
        setQueueSize(QUEUE);
        setDiscardingThreshold(0);
        setNeverBlock(true);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (getRemainingCapacity() == 0) {
            dropped.increment();
            return;
        }
        long lost = dropped.sumThenReset();
        if (lost > 0) {
            super.append(report(lost));
        }
        super.append(event);
    }

    private static ILoggingEvent report(long lost) {
        LoggingEvent report = new LoggingEvent(
                BoundedAppender.class.getName(),
                (Logger) LoggerFactory.getLogger("holdfast"),
                Level.WARN,
                "Dropped log lines, because standard error was read too slowly",
                null,
                null);
        report.addKeyValuePair(new KeyValuePair("lines", lost));
        return report;
    }
}
