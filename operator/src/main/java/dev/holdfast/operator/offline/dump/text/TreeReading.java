package dev.holdfast.operator.offline.dump.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;

/** Reads the parts of policies as trees. */
public final class TreeReading {
    private static final ObjectMapper JSON = new ObjectMapper();

    private TreeReading() {}

    /** {@return a new object without fields} */
    public static ObjectNode object() {
        return JSON.createObjectNode();
    }

    /** {@return the tokens as a tree} */
    public static JsonNode tree(TokenBuffer tokens) throws IOException {
        try (JsonParser parser = tokens.asParser(JSON)) {
            return parser.readValueAsTree();
        }
    }
}
