package dev.holdfast.operator.offline.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;

/** Objects that are complete, as the operator reads them. */
final class DecodedObjects {
    private static final ObjectMapper JSON = new ObjectMapper();

    private DecodedObjects() {}

    /**
     * {@return the objects as the operator reads them}
     *
     * @throws DumpException if one of them cannot be read; the message names it
     */
    static Dump of(List<ObjectNode> objects) throws DumpException {
        List<DumpFile> files = new ArrayList<>();
        for (ObjectNode object : objects) {
            files.add(asFile(object));
        }
        return new DumpReader(_ -> {}).read(files);
    }

    /** {@return an object as a file that messages name by its kind and name} */
    private static DumpFile asFile(ObjectNode object) {
        String name = object.path("kind").asText() + " " + CreatedObjects.namespace(object) + "/"
                + CreatedObjects.name(object);
        try {
            byte[] bytes = JSON.writeValueAsBytes(object);
            return new DumpFile(name, () -> new ByteArrayInputStream(bytes));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of JSON cannot be written", e);
        }
    }
}
