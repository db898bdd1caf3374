package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.manifest.Copies;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Reader of manifests, whose objects may be written once and meant several times: {@link Copies}. */
final class Manifests {
    private static final Pattern SEPARATOR = Pattern.compile("(?m)^---\\s*$\\n?");

    private Manifests() {}

    /** {@return the objects of a file, in order} */
    static List<ObjectNode> read(Path file) {
        return SEPARATOR
                .splitAsStream(text(file))
                .filter(document -> !document.isBlank())
                .map(document -> (ObjectNode) tree(document))
                .flatMap(object -> copies(object).stream())
                .toList();
    }

    private static List<ObjectNode> copies(ObjectNode object) {
        try {
            return Copies.of(object);
        } catch (DumpException e) {
            throw new IllegalArgumentException(e);
        }
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
