package dev.holdfast.operator.offline.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.operator.offline.dump.DumpException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Objects that are written once and meant several times: those with the annotation {@code cli.holdfast.dev/copies}.
 *
 * <p>Example: with {@code cli.holdfast.dev/copies: "6"}, a node {@code n$i} in zone <code>z${i%3}</code> is six nodes,
 * n0 to n5, in zones z0, z1, z2, z0, z1 and z2.
 */
public final class Copies {
    private static final String ANNOTATION = "cli.holdfast.dev/copies";
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,3}");
    private static final Pattern REMAINDER = Pattern.compile("\\$\\{i%([1-9][0-9]{0,3})\\}");

    private Copies() {}

    /**
     * {@return the copies of an object, without the annotation; the object alone if it has none}
     *
     * @throws DumpException if the annotation is no number from 1 to 9999
     */
    public static List<ObjectNode> of(ObjectNode object) throws DumpException {
        JsonNode number = object.at("/metadata/annotations").path(ANNOTATION);
        if (number.isMissingNode()) {
            return List.of(object);
        }
        if (!NUMBER.matcher(number.asText()).matches()) {
            throw new DumpException(object.path("kind").asText() + " "
                    + object.at("/metadata/name").asText() + ": annotation " + ANNOTATION
                    + " must be a number from 1 to 9999, and is " + number.asText());
        }
        return IntStream.range(0, Integer.parseInt(number.asText()))
                .mapToObj(i -> copy(object, i))
                .toList();
    }

    private static ObjectNode copy(ObjectNode object, int i) {
        ObjectNode copy = object.deepCopy();
        ((ObjectNode) copy.at("/metadata/annotations")).remove(ANNOTATION);
        for (Map.Entry<String, JsonNode> field : copy.properties()) {
            field.setValue(numbered(field.getValue(), i));
        }
        return copy;
    }

    private static JsonNode numbered(JsonNode value, int i) {
        return switch (value) {
            case ObjectNode object -> {
                object.properties().forEach(field -> field.setValue(numbered(field.getValue(), i)));
                yield object;
            }
            case ArrayNode array -> {
                for (int at = 0; at < array.size(); at++) {
                    array.set(at, numbered(array.get(at), i));
                }
                yield array;
            }
            case TextNode text -> TextNode.valueOf(numbered(text.textValue(), i));
            case JsonNode other -> other;
        };
    }

    private static String numbered(String text, int i) {
        return REMAINDER
                .matcher(text)
                .replaceAll(by -> Integer.toString(i % Integer.parseInt(by.group(1))))
                .replace("$i", Integer.toString(i));
    }
}
