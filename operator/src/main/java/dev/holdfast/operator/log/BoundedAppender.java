package dev.holdfast.operator.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * Writes log entries on its own thread, so that no other thread waits for a slow reader of standard error. While the
 * queue is full, entries are dropped, and the log says how many. Logback's AsyncAppender would drop entries uncounted
 * if several threads fill the queue at once.
 */
final class BoundedAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
    /** The maximum number of entries that wait: about a second of the log of a mass change. */
    static final int QUEUE = 4_096;

    private static final Duration FLUSH = Duration.ofSeconds(1);

    private final Appender<ILoggingEvent> target;
    private final BlockingQueue<ILoggingEvent> queue;
    private final LongAdder dropped = new LongAdder();
    private final Thread writer =
            Thread.ofPlatform().daemon().name("holdfast-log").unstarted(this::run);

    /**
     * Creates an appender; {@link #start} starts its thread.
     *
     * @param target writes the entries, on the thread of this appender
     * @param capacity the maximum number of entries that wait, at least 1
     */
    BoundedAppender(Appender<ILoggingEvent> target, int capacity) {
        this.target = target;
        this.queue = new ArrayBlockingQueue<>(capacity);
    }

    @Override
    public void start() {
        super.start();
        writer.start();
    }

    @Override
    protected void append(ILoggingEvent event) {
        event.prepareForDeferredProcessing();
        long lost = dropped.sumThenReset();
        if (lost > 0 && !queue.offer(report(lost))) {
            dropped.add(lost);
        }
        if (!queue.offer(event)) {
            dropped.increment();
        }
    }

    private void run() {
        try {
            while (true) {
                target.doAppend(queue.take());
            }
        } catch (InterruptedException _) {
            for (ILoggingEvent left = queue.poll(); left != null; left = queue.poll()) {
                target.doAppend(left);
            }
            long lost = dropped.sumThenReset();
            if (lost > 0) {
                target.doAppend(report(lost));
            }
            target.stop();
        }
    }

    /** Writes the waiting entries, for at most a second, and stops. */
    @Override
    public void stop() {
        if (!isStarted()) {
            return;
        }
        super.stop();
        writer.interrupt();
        try {
            if (!writer.join(FLUSH)) {
                addWarn("The reader of the log is too slow: " + queue.size() + " entries are lost");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
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
