package dev.holdfast.operator.publish;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Listens to a logger at level INFO. */
final class LoggedLines {
    private LoggedLines() {}

    /** {@return the lines that the logger takes meanwhile} */
    static List<ILoggingEvent> of(String logger, Runnable telling) {
        Logger listened = (Logger) LoggerFactory.getLogger(logger);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        listened.setLevel(Level.INFO);
        listened.setAdditive(false);
        listened.addAppender(lines);
        telling.run();
        listened.detachAppender(lines);
        listened.setAdditive(true);
        return lines.list;
    }
}
