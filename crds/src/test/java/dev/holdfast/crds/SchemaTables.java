package dev.holdfast.crds;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The fields of one CRD schema as Markdown: a heading and a table per object, the outermost object first. */
final class SchemaTables {
    private static final Set<String> SELECTOR_FIELDS = Set.of("matchLabels", "matchExpressions");
    private static final Set<String> SKIPPED = Set.of("apiVersion", "kind", "metadata");

    /** The parts of the description of a field: what it means, its default or "Required", and an example. */
    private static final Pattern DESCRIPTION = Pattern.compile(
            "(?<text>.*?)(?: (?<required>Required)(?<rest>[.,].*?)?| Default: (?<default>.*?)\\.)?"
                    + " Example: (?<example>.+)\\.",
            Pattern.DOTALL);

    private final String prefix;
    private final JSONSchemaProps whole;
    private final JSONSchemaProps common;
    private final StringBuilder selector = new StringBuilder();

    /**
     * Creates the generator for one schema.
     *
     * @param prefix the kind, which the headings name: {@code spec of a PlacementPolicy}
     * @param whole the schema with all fields
     * @param common a schema that may have fewer fields; fields that it lacks are marked
     */
    SchemaTables(String prefix, JSONSchemaProps whole, JSONSchemaProps common) {
        this.prefix = prefix;
        this.whole = whole;
        this.common = common;
    }

    /** Generates and returns all headings and tables, except those of label selectors. */
    String tables() {
        StringBuilder out = new StringBuilder();
        for (String part : List.of("spec", "status")) {
            object(part, child(whole, part).orElseThrow(), child(common, part), out);
        }
        return out.toString();
    }

    /** {@return the one table for all label selectors, which must be equal; empty before {@link #tables}} */
    String labelSelector() {
        return selector.toString();
    }

    private static Optional<JSONSchemaProps> child(JSONSchemaProps schema, String name) {
        return Optional.ofNullable(schema.getProperties().get(name));
    }

    private void object(String path, JSONSchemaProps object, Optional<JSONSchemaProps> shared, StringBuilder out) {
        out.append("### `%s` of a %s\n\n".formatted(path, prefix));
        Optional.ofNullable(object.getDescription())
                .ifPresent(text -> out.append(cell(opening(text))).append("\n\n"));
        rules(object).forEach(rule -> out.append("- ").append(rule).append('\n'));
        if (!rules(object).isEmpty()) {
            out.append('\n');
        }
        rows(path, object, shared, out);
        object.getProperties().forEach((name, child) -> {
            JSONSchemaProps inner = inner(child);
            if (isNested(inner) && !isSelector(inner)) {
                object(
                        entryPath(path + "." + name, child),
                        described(inner, child),
                        shared.flatMap(it -> child(it, name)).map(SchemaTables::inner),
                        out);
            }
            if (isSelector(inner)) {
                selector(inner);
            }
        });
    }

    private static String entryPath(String path, JSONSchemaProps field) {
        return isList(field) ? path + "[]" : path;
    }

    private static boolean isList(JSONSchemaProps schema) {
        return schema.getItems() != null;
    }

    /** {@return the description of an object without the default and example, which the object's row has} */
    private static String opening(String description) {
        Matcher parts = DESCRIPTION.matcher(description);
        return parts.matches() ? parts.group("text") : description;
    }

    private static JSONSchemaProps described(JSONSchemaProps entry, JSONSchemaProps list) {
        entry.setDescription(entry.getDescription() == null ? list.getDescription() : entry.getDescription());
        return entry;
    }

    private void rows(String path, JSONSchemaProps object, Optional<JSONSchemaProps> shared, StringBuilder out) {
        out.append("| Field | Type | Default | Bounds | What it is |\n|---|---|---|---|---|\n");
        object.getProperties().forEach((name, child) -> {
            if (!SKIPPED.contains(name)) {
                boolean everywhere = shared.flatMap(it -> child(it, name)).isPresent();
                out.append(row(path, name, child, object, everywhere));
            }
        });
        out.append('\n');
    }

    private String row(String path, String name, JSONSchemaProps field, JSONSchemaProps object, boolean everywhere) {
        Matcher parts = DESCRIPTION.matcher(Objects.requireNonNull(field.getDescription(), name));
        if (!parts.matches()) {
            throw new IllegalStateException(path + "." + name + " is not described as the others are");
        }
        String rest = Optional.ofNullable(parts.group("rest"))
                .map(it -> it.replaceFirst("^[.,]\\s*", "").replaceFirst("\\.$", ""))
                .filter(it -> !it.isBlank())
                .map(it -> " " + Character.toUpperCase(it.charAt(0)) + it.substring(1) + ".")
                .orElse("");
        List<String> text = new ArrayList<>();
        if (!everywhere) {
            text.add("*ClusterPlacementPolicy only.*");
        }
        text.add(cell(parts.group("text") + rest));
        text.add("Example: " + code(parts.group("example")) + ".");
        rulesOfField(field).forEach(rule -> text.add("<br>" + rule));
        return "| <a id=\"%s\"></a>`%s` | %s | %s | %s | %s |\n"
                .formatted(
                        anchor(path + "." + name),
                        name,
                        type(path, name, field),
                        object.getRequired().contains(name) || parts.group("required") != null
                                ? path.startsWith("status") ? "always set" : "**required**"
                                : byDefault(field, parts.group("default")),
                        bounds(field),
                        String.join(" ", text));
    }

    private String anchor(String path) {
        return prefix + "-" + path.replace("[]", "").replace('.', '-').toLowerCase(Locale.ROOT);
    }

    private static String byDefault(JSONSchemaProps field, @Nullable String told) {
        JsonNode fixed = field.getDefault();
        if (fixed != null && fixed.isValueNode()) {
            return code(fixed.asText());
        }
        return told == null ? "" : cell(told);
    }

    private String type(String path, String name, JSONSchemaProps field) {
        JSONSchemaProps inner = inner(field);
        String of = isSelector(inner)
                ? "[label selector](#label-selector)"
                : isNested(inner)
                        ? "[object](#" + heading(entryPath(path + "." + name, field)) + ")"
                        : scalar(name, inner);
        if (!isList(field)) {
            return field.getAdditionalProperties() != null ? "map of strings" : of;
        }
        return "list: " + of
                + (field.getXKubernetesListMapKeys().isEmpty()
                        ? ""
                        : ", unique by " + code(String.join(", ", field.getXKubernetesListMapKeys())));
    }

    /** {@return the anchor that GitHub generates for the heading of the object with this path} */
    private String heading(String path) {
        return "%s of a %s"
                .formatted(path, prefix)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9 -]", "")
                .replace(' ', '-');
    }

    private static String scalar(String name, JSONSchemaProps schema) {
        if (Boolean.TRUE.equals(schema.getXKubernetesIntOrString())) {
            return "number or percentage";
        }
        if ("date-time".equals(schema.getFormat())) {
            return "time";
        }
        if ("integer".equals(schema.getType())) {
            return name.endsWith("econds") ? "seconds" : "number";
        }
        return schema.getEnum().isEmpty() ? schema.getType() : "enum";
    }

    private static String bounds(JSONSchemaProps field) {
        JSONSchemaProps inner = inner(field);
        return Stream.of(
                        range(inner),
                        inner.getEnum().stream()
                                .map(word -> code(word.asText()))
                                .collect(joining(", ")),
                        atMost(inner.getMaxLength(), "characters"),
                        atMost(field.getMaxItems(), "entries"),
                        atMost(field.getMaxProperties(), "entries"))
                .filter(it -> !it.isEmpty())
                .collect(joining("; "));
    }

    private static String range(JSONSchemaProps schema) {
        if (schema.getMinimum() == null && schema.getMaximum() == null) {
            return "";
        }
        String numbers = schema.getMaximum() == null
                ? "at least " + schema.getMinimum().longValue()
                : schema.getMinimum().longValue() + " to " + schema.getMaximum().longValue();
        return Boolean.TRUE.equals(schema.getXKubernetesIntOrString()) ? numbers + ", or 0% to 100%" : numbers;
    }

    private static String atMost(@Nullable Long most, String what) {
        return most == null ? "" : "at most " + most + " " + what;
    }

    private static List<String> rulesOfField(JSONSchemaProps field) {
        JSONSchemaProps inner = inner(field);
        boolean inTheTableOfIt = isNested(inner) && !isSelector(inner) && !isList(field);
        return inTheTableOfIt ? List.of() : rules(field);
    }

    /** {@return a sentence for each CEL validation rule, with the message of the API server for an invalid object} */
    private static List<String> rules(JSONSchemaProps schema) {
        return schema.getXKubernetesValidations().stream()
                .map(SchemaTables::rule)
                .toList();
    }

    private static String rule(ValidationRule rule) {
        String field =
                rule.getFieldPath() == null ? "It" : code(rule.getFieldPath().substring(1));
        return field + " " + cell(rule.getMessage()) + ".";
    }

    private void selector(JSONSchemaProps found) {
        StringBuilder table = new StringBuilder();
        SchemaTables own = new SchemaTables("label", found, found);
        own.rows("selector", found, Optional.of(found), table);
        JSONSchemaProps expression = inner(child(found, "matchExpressions").orElseThrow());
        table.append("### `selector.matchExpressions[]` of a label\n\n");
        rules(expression).forEach(rule -> table.append("- ").append(rule).append('\n'));
        table.append('\n');
        own.rows("selector.matchExpressions[]", expression, Optional.of(expression), table);
        if (selector.isEmpty()) {
            selector.append(table);
        } else if (!selector.toString().contentEquals(table)) {
            throw new IllegalStateException("two label selectors differ:\n" + selector + "\n" + table);
        }
    }

    /** {@return the schema of the entries of a list; any other schema itself} */
    private static JSONSchemaProps inner(JSONSchemaProps schema) {
        return isList(schema) ? schema.getItems().getSchema() : schema;
    }

    private static boolean isNested(JSONSchemaProps schema) {
        return !schema.getProperties().isEmpty();
    }

    private static boolean isSelector(JSONSchemaProps schema) {
        Map<String, JSONSchemaProps> fields = schema.getProperties();
        return fields != null && fields.keySet().equals(SELECTOR_FIELDS);
    }

    private static String code(String text) {
        return "`" + cell(text) + "`";
    }

    /** {@return the text, escaped for a cell of a table} */
    static String cell(String text) {
        return text.replace("|", "\\|").replaceAll("\\s+", " ");
    }
}
