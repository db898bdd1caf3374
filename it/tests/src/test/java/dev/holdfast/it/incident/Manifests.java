package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reader of manifests. A document whose first line is {@code # copies: 20} gives twenty objects: {@code $i} in it
 * becomes 0 to 19, and {@code ${i%3}} becomes 0, 1, 2, 0, and so on.
 */
final class Manifests {
    private static final Pattern SEPARATOR = Pattern.compile("(?m)^---\\s*$\\n?");
    private static final Pattern COPIES = Pattern.compile("\\A# copies: (\\d+)\\n");
    private static final Pattern REMAINDER = Pattern.compile("\\$\\{i%(\\d+)\\}");

    private Manifests() {}

    /** {@return the objects of a file, in order} */
    static List<ObjectNode> read(Path file) {
        return SEPARATOR
                .splitAsStream(text(file))
                .filter(document -> !document.isBlank())
                .flatMap(Manifests::copies)
                .map(document -> (ObjectNode) tree(document))
                .toList();
    }

    private static Stream<String> copies(String document) {
        Matcher copies = COPIES.matcher(document);
        return copies.find()
                ? IntStream.range(0, Integer.parseInt(copies.group(1)))
                        .mapToObj(i -> REMAINDER
                                .matcher(document)
                                .replaceAll(by -> Integer.toString(i % Integer.parseInt(by.group(1))))
                                .replace("$i", Integer.toString(i)))
                : Stream.of(document);
    }

    static JsonNode tree(String yaml) {
        return Serialization.unmarshal(yaml, JsonNode.class);
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
