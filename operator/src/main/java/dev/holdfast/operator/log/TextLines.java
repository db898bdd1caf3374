package dev.holdfast.operator.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.event.KeyValuePair;

/**
 * Encodes a log entry as one line for people: {@code 12:00:00.123 INFO  message key="value"}. Control characters are
 * escaped, so that no text from the cluster can begin a line. The lines of a stack trace are indented.
 */
final class TextLines extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneId.systemDefault());

    @Override
    public byte[] encode(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(256)
                .append(TIME.format(event.getInstant()))
                .append(String.format(Locale.ROOT, " %-5s ", event.getLevel()))
                .append(LogText.oneLine(event.getFormattedMessage()));
        for (KeyValuePair pair : Objects.requireNonNullElse(event.getKeyValuePairs(), List.<KeyValuePair>of())) {
            line.append(' ').append(pair.key).append("=\"");
            line.append(LogText.oneLine(String.valueOf(pair.value)).replace("\"", "\\\""));
            line.append('"');
        }
        line.append(System.lineSeparator());
        Optional.ofNullable(event.getThrowableProxy())
                .map(ThrowableProxyUtil::asString)
                .map(LogText::bounded)
                .ifPresent(trace -> trace.lines()
                        .forEach(each -> line.append('\t')
                                .append(LogText.oneLine(each.strip()))
                                .append(System.lineSeparator())));
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
