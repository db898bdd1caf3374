package dev.holdfast.operator.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.event.KeyValuePair;

/**
 * Encodes a log entry as one JSON object on one line: {@code time} in RFC 3339 with nanoseconds, {@code level}, {@code
 * message}, {@code logger}, {@code thread}, the key-value pairs of the entry as strings, and {@code error} with the
 * stack trace if there is one. Characters beyond ASCII are escaped. Texts are cut off after {@value LogText#MAX}
 * characters.
 */
final class JsonLines extends EncoderBase<ILoggingEvent> {
    /** Escapes all characters beyond ASCII: some readers end a line at separators such as U+0085 and U+2028. */
    private static final JsonFactory JSON =
            new JsonFactoryBuilder().highestNonEscapedChar(127).build();

    @Override
    public byte[] encode(ILoggingEvent event) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(line)) {
            json.writeStartObject();
            json.writeStringField("time", event.getInstant().toString());
            json.writeStringField("level", event.getLevel().toString());
            json.writeStringField("message", LogText.bounded(event.getFormattedMessage()));
            json.writeStringField("logger", event.getLoggerName());
            json.writeStringField("thread", event.getThreadName());
            for (KeyValuePair pair : Objects.requireNonNullElse(event.getKeyValuePairs(), List.<KeyValuePair>of())) {
                json.writeStringField(pair.key, LogText.bounded(String.valueOf(pair.value)));
            }
            Optional<IThrowableProxy> thrown = Optional.ofNullable(event.getThrowableProxy());
            if (thrown.isPresent()) {
                json.writeStringField("error", LogText.bounded(ThrowableProxyUtil.asString(thrown.get())));
            }
            json.writeEndObject();
            json.writeRaw(System.lineSeparator());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to memory", e);
        }
        return line.toByteArray();
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
