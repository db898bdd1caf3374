package dev.holdfast.crds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsOrArray;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsOrBool;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Adds to a generated CRD schema what the generator cannot read from the records: list types, formats, bounds of times,
 * and the descriptions of a kind, its spec and its status.
 */
final class SchemaCompletion {
    /** The key field of the entries of each list of type map, by the path of the list. */
    private static final Map<String, String> KEYED_LISTS = Map.of(
            ".spec.podRules", "kind",
            ".spec.rules", "name",
            ".spec.windows", "name",
            ".spec.exceptions", "name",
            ".status.conditions", "type",
            ".status.holds", "reason");

    /** The lists that are sets, by their path. Every list that is neither keyed nor a set is atomic. */
    private static final Set<String> SETS = Set.of(".spec.allow");

    /** The markers of metav1.Condition, which the record cannot say. */
    private static final String CONDITION = ".status.conditions.";

    private static final String CONDITION_TYPE = "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
            + "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";
    private static final String CONDITION_REASON = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";

    private SchemaCompletion() {}

    /** The descriptions of a kind, its spec and its status. */
    record Texts(String kind, String spec, String status) {
        static Texts ofPolicy(String kind) {
            return new Texts(
                    kind,
                    "Which pods, which rules and what to do; {} audits the own required rules of all its pods."
                            + " Required. Example: {mode: Enforce, podSelector: {matchLabels: {app: web}}}.",
                    "What the operator last observed and did for this policy; only the operator writes it. Example:"
                            + " {observedGeneration: 3, pods: {selected: 120, violating: 0, due: 0, held: 0}}.");
        }

        static Texts ofPause(String kind) {
            return new Texts(
                    kind,
                    "Why evictions are stopped, for which namespaces and when. Required."
                            + " Example: {reason: quarter end}.",
                    "Whether the pause is valid and applies now; only the operator writes it."
                            + " Example: {observedGeneration: 1, untilTime: \"2026-12-31T00:00:00Z\"}.");
        }
    }

    static void complete(JSONSchemaProps root, Texts texts) {
        root.setDescription(texts.kind());
        root.setRequired(List.of("spec"));
        describe(root, "spec", texts.spec());
        describe(root, "status", texts.status());
        complete("", root);
    }

    private static void describe(JSONSchemaProps parent, String field, String text) {
        Objects.requireNonNull(parent.getProperties().get(field), field).setDescription(text);
    }

    private static void complete(String path, JSONSchemaProps schema) {
        switch (schema.getType()) {
            case null -> completeNumberOrPercentage(path, schema);
            case "array" -> completeList(path, schema);
            case "object" -> completeObject(schema);
            case "integer" -> completeInteger(path, schema);
            case "string" -> completeString(path, schema);
            default -> throw new IllegalStateException(path + " has a type no field should have: " + schema.getType());
        }
        // The generator reads an annotation from the record's field and its accessor, so every rule appears twice.
        schema.setXKubernetesValidations(
                schema.getXKubernetesValidations().stream().distinct().toList());
        schema.getProperties().forEach((name, child) -> complete(path + "." + name, child));
        Optional.ofNullable(schema.getItems())
                .map(JSONSchemaPropsOrArray::getSchema)
                .ifPresent(child -> complete(path, child));
        Optional.ofNullable(schema.getAdditionalProperties())
                .map(JSONSchemaPropsOrBool::getSchema)
                .ifPresent(child -> complete(path, child));
    }

    private static void completeNumberOrPercentage(String path, JSONSchemaProps schema) {
        if (!Boolean.TRUE.equals(schema.getXKubernetesIntOrString())) {
            throw new IllegalStateException(path + " has no type");
        }
        schema.setPattern("^(100|[1-9]?[0-9])%$");
        schema.setMaxLength(4L);
        schema.setMinimum(0.0);
        schema.setMaximum(10_000.0);
    }

    private static void completeList(String path, JSONSchemaProps list) {
        String key = KEYED_LISTS.get(path);
        list.setXKubernetesListType(key != null ? "map" : SETS.contains(path) ? "set" : "atomic");
        list.setXKubernetesListMapKeys(key == null ? List.of() : List.of(key));
    }

    /**
     * Makes selectors atomic, as in core/v1, so that the selectors of two writers are never merged into a third one.
     */
    private static void completeObject(JSONSchemaProps object) {
        if (object.getProperties().containsKey("matchExpressions")
                || object.getProperties().containsKey("nodeSelectorTerms")) {
            object.setXKubernetesMapType("atomic");
        }
    }

    private static void completeInteger(String path, JSONSchemaProps integer) {
        boolean generation = path.endsWith(".observedGeneration");
        integer.setFormat(generation ? "int64" : "int32");
        if (generation) {
            integer.setMinimum(0.0);
        }
    }

    private static void completeString(String path, JSONSchemaProps string) {
        if (path.endsWith("Time") || path.endsWith(".time")) {
            string.setFormat("date-time");
            string.setMaxLength(64L);
        }
        switch (path) {
            case CONDITION + "type" -> string.setPattern(CONDITION_TYPE);
            case CONDITION + "status" ->
                string.setEnum(Stream.of("True", "False", "Unknown")
                        .<JsonNode>map(TextNode::valueOf)
                        .toList());
            case CONDITION + "reason" -> string.setPattern(CONDITION_REASON);
            default -> {
                // Only the markers of conditions are missing.
            }
        }
    }
}
