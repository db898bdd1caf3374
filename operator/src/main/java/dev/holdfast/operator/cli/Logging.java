package dev.holdfast.operator.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import dev.holdfast.operator.config.LogFormat;
import dev.holdfast.operator.config.LogLevel;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Where the log goes: to standard error, but for the audit log, which alone goes to standard output. */
final class Logging {
    private static final String STDERR = "System.err";
    private static final String STDOUT = "System.out";

    private Logging() {}

    /** Replaces whatever was configured. */
    static void configure(LogLevel level, LogFormat format) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        Level own = Level.valueOf(level.name());
        // What libraries say below a warning helps only those who look for a fault.
        Level others = own.isGreaterOrEqual(Level.INFO) && !own.isGreaterOrEqual(Level.WARN) ? Level.WARN : own;
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(others);
        root.addAppender(appender(
                context,
                STDERR,
                switch (format) {
                    case JSON -> json();
                    case TEXT -> text("%d{HH:mm:ss.SSS} %-5level %msg %kvp%n%ex");
                }));
        for (String name : List.of("holdfast", "dev.holdfast")) {
            context.getLogger(name).setLevel(own);
        }
        // At the finest level it would log every request with its credentials.
        Level talking = others.isGreaterOrEqual(Level.INFO) ? others : Level.INFO;
        for (String name : List.of("io.fabric8", "okhttp3", "okio")) {
            context.getLogger(name).setLevel(talking);
        }
        // It warns of v1alpha1 at each start, which nobody who runs this version can change.
        context.getLogger("io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils")
                .setLevel(Level.ERROR);
        // The stack of every status that could not be written: the reconcilers say so in a line.
        context.getLogger("io.javaoperatorsdk.operator.processing.event.EventProcessor")
                .setLevel(Level.OFF);
        Logger audit = context.getLogger("audit");
        audit.setLevel(Level.INFO);
        audit.setAdditive(false);
        audit.addAppender(appender(context, STDOUT, text("%msg%n")));
    }

    private static Encoder<ILoggingEvent> json() {
        JsonEncoder encoder = new FlatJsonEncoder();
        encoder.setWithSequenceNumber(false);
        encoder.setWithContext(false);
        encoder.setWithMDC(false);
        encoder.setWithMarkers(false);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithFormattedMessage(true);
        return encoder;
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
