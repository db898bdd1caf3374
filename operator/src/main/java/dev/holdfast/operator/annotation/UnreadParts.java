package dev.holdfast.operator.annotation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.operator.translate.SpecProblem;
import dev.holdfast.policies.model.QuotedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Finds the parts of a JSON document that were not read, or were read as something else. For this, the values that were
 * read are written as JSON again, and compared with the document.
 *
 * <p>Example: {@code {"key": 5, "kee": "app"}} was read as the key {@code "5"}. Then {@code key} has a wrong type, and
 * {@code kee} is not known.
 */
final class UnreadParts {
    private final List<SpecProblem> problems = new ArrayList<>();

    private UnreadParts() {}

    /**
     * {@return the parts of {@code written} that are not in {@code read}}
     *
     * @param written without nulls
     * @param read with all fields that there are, also those without a value
     */
    static List<SpecProblem> of(JsonNode written, JsonNode read) {
        UnreadParts parts = new UnreadParts();
        parts.compare("", written, read);
        return parts.problems;
    }

    private void compare(String path, JsonNode written, JsonNode read) {
        if (read.isMissingNode()) {
            problems.add(new SpecProblem(path, "is not known to this version of Holdfast"));
        } else if (written.isObject() && read.isObject()) {
            for (Map.Entry<String, JsonNode> field : written.properties()) {
                String name = QuotedText.of(field.getKey());
                compare(path.isEmpty() ? name : path + "." + name, field.getValue(), read.path(field.getKey()));
            }
        } else if (written.isArray() && read.isArray()) {
            for (int i = 0; i < written.size(); i++) {
                compare(path + "[" + i + "]", written.get(i), read.path(i));
            }
        } else if (!written.equals(read)) {
            problems.add(new SpecProblem(path, "has a value of a wrong type, as in docs/policy-reference.md"));
        }
    }
}
