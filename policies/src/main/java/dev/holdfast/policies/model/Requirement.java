package dev.holdfast.policies.model;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One expression of a label or node selector, as written and not yet parsed: {@code disk In [ssd, nvme]}.
 *
 * @param key a label key, or a field path in {@code matchFields}
 * @param operator the operator's name; unknown names are kept, and the parser rejects them
 * @param values in the order written, duplicates kept
 */
public record Requirement(String key, String operator, List<String> values) {
    public Requirement {
        values = List.copyOf(values);
    }

    @Override
    public String toString() {
        String listed = values.stream().map(QuotedText::value).collect(Collectors.joining(", "));
        return key + " " + operator + (values.isEmpty() ? "" : " [" + listed + "]");
    }
}
