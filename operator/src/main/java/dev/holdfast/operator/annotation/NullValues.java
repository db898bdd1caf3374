package dev.holdfast.operator.annotation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.policies.model.QuotedText;
import java.util.Map;
import java.util.Optional;

/**
 * Finds a null in JSON. Where a null is allowed, an absent field means the same, and a null may stand where a field
 * name is wrong: then a selector without its labels would match all pods.
 */
final class NullValues {
    private NullValues() {}

    /** {@return the path to the first null: {@code rules[0].podAffinityTerm.labelSelector.matchLabels.app}} */
    static Optional<String> of(JsonNode written) {
        return in("", written);
    }

    private static Optional<String> in(String path, JsonNode node) {
        if (node.isNull()) {
            return Optional.of(path);
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            Optional<String> found = in(path + "[" + i + "]", node.get(i));
            if (found.isPresent()) {
                return found;
            }
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            String name = QuotedText.of(field.getKey());
            Optional<String> found = in(path.isEmpty() ? name : path + "." + name, field.getValue());
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }
}
