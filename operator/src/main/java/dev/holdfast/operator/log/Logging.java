package dev.holdfast.operator.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import dev.holdfast.operator.config.LogFormat;
import dev.holdfast.operator.config.LogLevel;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Logging setup: the log is written to standard error by a thread of its own, and the audit log to standard output by
 * the thread that logs, so that no line of it is lost.
 */
public final class Logging {
    private static final String STDERR = "System.err";
    private static final String STDOUT = "System.out";

    private Logging() {}

    /** Replaces any previous logging configuration. */
    public static void configure(LogLevel level, LogFormat format) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        context.start();
        Level own = Level.valueOf(level.name());
        // Lines of libraries below WARN only help in debugging.
        Level others = own.isGreaterOrEqual(Level.INFO) && !own.isGreaterOrEqual(Level.WARN) ? Level.WARN : own;
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(others);
        root.addAppender(bounded(
                context,
                appender(
                        context,
                        STDERR,
                        switch (format) {
                            case JSON -> new JsonLines();
                            case TEXT -> new TextLines();
                        })));
        for (String name : List.of("holdfast", "dev.holdfast")) {
            context.getLogger(name).setLevel(own);
        }
        // At TRACE the client would log every request with its credentials.
        Level talking = others.isGreaterOrEqual(Level.INFO) ? others : Level.INFO;
        for (String name : List.of("io.fabric8", "okhttp3", "okio")) {
            context.getLogger(name).setLevel(talking);
        }
        // The client warns at each start that the CRDs are v1alpha1; users can do nothing about it.
        context.getLogger("io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils")
                .setLevel(Level.ERROR);
        Logger audit = context.getLogger("audit");
        audit.setLevel(Level.INFO);
        audit.setAdditive(false);
        audit.addAppender(appender(context, STDOUT, text("%msg%n")));
    }

    /** Writes all waiting lines and stops logging; waits for a second at most. Must be the last call of a process. */
    public static void close() {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
    }

    private static BoundedAppender bounded(LoggerContext context, ConsoleAppender<ILoggingEvent> console) {
        BoundedAppender appender = new BoundedAppender(console, BoundedAppender.QUEUE);
        appender.setContext(context);
        appender.addFilter(failedWrites(context));
        appender.start();
        return appender;
    }

    private static FailedWrites failedWrites(LoggerContext context) {
        FailedWrites filter = new FailedWrites();
        filter.setContext(context);
        filter.start();
        return filter;
    }

    private static Encoder<ILoggingEvent> text(String pattern) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setPattern(pattern);
        return encoder;
    }

    private static ConsoleAppender<ILoggingEvent> appender(
            LoggerContext context, String target, Encoder<ILoggingEvent> encoder) {
        encoder.setContext(context);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget(target);
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }
}
