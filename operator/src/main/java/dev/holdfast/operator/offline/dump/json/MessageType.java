package dev.holdfast.operator.offline.dump.json;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The fields of one message of the Kubernetes API, by their names in JSON. The file {@code fields.txt} lists them;
 * {@code operator/fields/generate} makes it from the Go types of k8s.io/api. The build makes the field numbers of the
 * decoders from it.
 */
public final class MessageType {
    private static final String FILE = "fields.txt";

    /** The name, in the file, of a field whose message JSON writes in place. */
    private static final String IN_PLACE = "*";

    private final String name;
    private final Map<String, ApiField> fields = new HashMap<>();

    private MessageType(String name) {
        this.name = name;
    }

    /**
     * {@return the messages that the file lists, by name: {@code Pod}, {@code PodSpec}}
     *
     * @throws UncheckedIOException if the file cannot be read, which is a bug
     */
    public static Map<String, MessageType> readAll() {
        Map<String, List<String>> lines = new LinkedHashMap<>();
        try (InputStream file = Objects.requireNonNull(MessageType.class.getResourceAsStream(FILE), FILE);
                BufferedReader reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            reader.lines()
                    .map(line -> List.of(line.split(" ")))
                    .forEach(line -> lines.put(line.getFirst(), line.subList(1, line.size())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, MessageType> types = new HashMap<>();
        lines.keySet().forEach(message -> types.put(message, new MessageType(message)));
        lines.forEach((message, written) ->
                Objects.requireNonNull(types.get(message)).fields.putAll(fields(written, lines, types)));
        return types;
    }

    private static Map<String, ApiField> fields(
            List<String> written, Map<String, List<String>> lines, Map<String, MessageType> types) {
        Map<String, ApiField> fields = new LinkedHashMap<>();
        for (String field : written) {
            String[] parts = field.split(":");
            int number = Integer.parseInt(parts[1]);
            if (parts[0].equals(IN_PLACE)) {
                fields(Objects.requireNonNull(lines.get(parts[2])), lines, types)
                        .forEach((inner, ofInner) -> fields.put(inner, ofInner.within(number)));
            } else {
                fields.put(parts[0], field(number, parts[2], types));
            }
        }
        return fields;
    }

    private static ApiField field(int number, String type, Map<String, MessageType> types) {
        if (type.startsWith("[]")) {
            return new ApiField(number, ApiField.Form.LIST, type(type.substring(2), types), 0);
        }
        if (type.startsWith("{}")) {
            return new ApiField(number, ApiField.Form.MAP, type(type.substring(2), types), 0);
        }
        return new ApiField(number, ApiField.Form.ONE, type(type, types), 0);
    }

    private static ValueType type(String name, Map<String, MessageType> types) {
        return switch (name) {
            case "string" -> ValueType.Scalar.STRING;
            case "bool" -> ValueType.Scalar.BOOL;
            case "int" -> ValueType.Scalar.INT;
            case "time" -> ValueType.Scalar.TIME;
            case "quantity" -> ValueType.Scalar.QUANTITY;
            case "intOrString" -> ValueType.Scalar.INT_OR_STRING;
            case "skipped" -> ValueType.Scalar.SKIPPED;
            default -> new ValueType.Message(Objects.requireNonNull(types.get(name), name));
        };
    }

    /** {@return the field with this name in JSON; empty if the message has none} */
    Optional<ApiField> field(String jsonName) {
        return Optional.ofNullable(fields.get(jsonName));
    }

    /** {@return whether this is a volume of a pod, whose only unknown fields are sources} */
    boolean isVolume() {
        return name.equals("Volume");
    }

    @Override
    public String toString() {
        return name;
    }
}
