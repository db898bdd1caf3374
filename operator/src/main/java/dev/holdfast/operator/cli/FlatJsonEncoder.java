package dev.holdfast.operator.cli;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.JsonEscapeUtil;
import java.util.List;
import java.util.Optional;

/** JSON log encoder that writes the key-value pairs of an entry as top-level string fields instead of an array. */
final class FlatJsonEncoder extends JsonEncoder {
    @Override
    protected void appendKeyValuePairs(StringBuilder line, ILoggingEvent event) {
        Optional.ofNullable(event.getKeyValuePairs()).stream()
                .flatMap(List::stream)
                .forEach(pair -> {
                    line.append(VALUE_SEPARATOR);
                    appenderMember(line, escaped(pair.key), escaped(pair.value));
                });
    }

    private static String escaped(Object value) {
        return JsonEscapeUtil.jsonEscapeString(String.valueOf(value));
    }
}
