package dev.holdfast.crds;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsOrArray;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsOrBool;
import io.fabric8.kubernetes.api.model.apiextensions.v1.SelectableField;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares a CRD with a released one, and names each change after which an object that the released CRD admits may be
 * refused, or may mean something else, or a condition may have values that its readers do not expect.
 */
final class IncompatibleChanges {
    /** How a rule begins that holds for each object without a field. */
    private static final Pattern ABSENT_FIELD = Pattern.compile("!has\\(self\\.(\\w+)\\) \\|\\| [^&]*$");

    private final List<String> found = new ArrayList<>();

    private IncompatibleChanges() {}

    /** {@return the incompatible changes, each as a sentence such as {@code spec.mode: value Audit is gone}} */
    static List<String> between(CustomResourceDefinition released, CustomResourceDefinition now) {
        IncompatibleChanges changes = new IncompatibleChanges();
        changes.names(released, now);
        for (CustomResourceDefinitionVersion before : released.getSpec().getVersions()) {
            now.getSpec().getVersions().stream()
                    .filter(it -> it.getName().equals(before.getName()) && it.getServed())
                    .findFirst()
                    .ifPresentOrElse(
                            after -> changes.versions(before, after),
                            () -> changes.found.add("version " + before.getName() + " is not served any more"));
        }
        return List.copyOf(changes.found);
    }

    private void names(CustomResourceDefinition released, CustomResourceDefinition now) {
        same("group", released, now, crd -> crd.getSpec().getGroup());
        same("scope", released, now, crd -> crd.getSpec().getScope());
        same("kind", released, now, crd -> crd.getSpec().getNames().getKind());
        same("plural", released, now, crd -> crd.getSpec().getNames().getPlural());
        kept("short name", released, now, crd -> crd.getSpec().getNames().getShortNames());
        kept("category", released, now, crd -> crd.getSpec().getNames().getCategories());
    }

    private void versions(CustomResourceDefinitionVersion before, CustomResourceDefinitionVersion after) {
        kept(
                "selectable field",
                before,
                after,
                version -> version.getSelectableFields().stream()
                        .map(SelectableField::getJsonPath)
                        .toList());
        kept("subresource", before, after, IncompatibleChanges::subresources);
        JSONSchemaProps root = before.getSchema().getOpenAPIV3Schema();
        JSONSchemaProps rootAfter = after.getSchema().getOpenAPIV3Schema();
        constraints("the object", root, rootAfter);
        objects("", root, rootAfter);
    }

    private static List<String> subresources(CustomResourceDefinitionVersion version) {
        return Optional.ofNullable(version.getSubresources()).stream()
                .flatMap(it -> Stream.of(
                        Optional.ofNullable(it.getStatus()).map(_ -> "status"),
                        Optional.ofNullable(it.getScale()).map(_ -> "scale")))
                .flatMap(Optional::stream)
                .toList();
    }

    private void schemas(String path, JSONSchemaProps before, JSONSchemaProps after) {
        constraints(path, before, after);
        if (path.startsWith("status.conditions[]")) {
            promises(path, before, after);
        }
        objects(path + ".", before, after);
        inside(
                path + "[]",
                before,
                after,
                schema -> Optional.ofNullable(schema.getItems()).map(JSONSchemaPropsOrArray::getSchema));
        inside(
                path + "{}",
                before,
                after,
                schema -> Optional.ofNullable(schema.getAdditionalProperties()).map(JSONSchemaPropsOrBool::getSchema));
    }

    /**
     * Compares what readers of conditions rely on. Only the operator writes them, so a lost constraint breaks their
     * readers.
     */
    private void promises(String path, JSONSchemaProps before, JSONSchemaProps after) {
        kept(path + ": pattern", before, after, IncompatibleChanges::pattern);
        if (!before.getEnum().isEmpty()) {
            added(path + ": value", before, after, IncompatibleChanges::values);
            if (after.getEnum().isEmpty()) {
                found.add(path + ": any value is allowed now");
            }
        }
        same(path + ": maxLength", before, after, JSONSchemaProps::getMaxLength);
        same(path + ": minLength", before, after, JSONSchemaProps::getMinLength);
        before.getRequired().stream()
                .filter(field -> !after.getRequired().contains(field))
                .forEach(field -> found.add(path + "." + field + ": is not required any more"));
    }

    private static List<String> pattern(JSONSchemaProps schema) {
        return Optional.ofNullable(schema.getPattern()).stream().toList();
    }

    private static List<String> values(JSONSchemaProps schema) {
        return schema.getEnum().stream().map(JsonNode::asText).toList();
    }

    private void constraints(String path, JSONSchemaProps before, JSONSchemaProps after) {
        same(path + ": type", before, after, JSONSchemaProps::getType);
        same(path + ": int-or-string", before, after, JSONSchemaProps::getXKubernetesIntOrString);
        same(path + ": format", before, after, JSONSchemaProps::getFormat);
        same(path + ": default", before, after, JSONSchemaProps::getDefault);
        same(path + ": list type", before, after, JSONSchemaProps::getXKubernetesListType);
        same(path + ": list keys", before, after, JSONSchemaProps::getXKubernetesListMapKeys);
        same(path + ": map type", before, after, JSONSchemaProps::getXKubernetesMapType);
        added(path + ": pattern", before, after, IncompatibleChanges::pattern);
        added(
                path + ": rule",
                before,
                after,
                schema -> schema.getXKubernetesValidations().stream()
                        .map(ValidationRule::getRule)
                        .filter(rule -> !isAboutNewField(rule, before))
                        .toList());
        enums(path, before, after);
        atLeast(path + ": minimum", before, after, JSONSchemaProps::getMinimum);
        atLeast(path + ": minLength", before, after, JSONSchemaProps::getMinLength);
        atLeast(path + ": minItems", before, after, JSONSchemaProps::getMinItems);
        atLeast(path + ": minProperties", before, after, JSONSchemaProps::getMinProperties);
        atMost(path + ": maximum", before, after, JSONSchemaProps::getMaximum);
        atMost(path + ": maxLength", before, after, JSONSchemaProps::getMaxLength);
        atMost(path + ": maxItems", before, after, JSONSchemaProps::getMaxItems);
        atMost(path + ": maxProperties", before, after, JSONSchemaProps::getMaxProperties);
    }

    /** Compares the fields of an object; {@code prefix} ends with a dot unless it is empty. */
    private void objects(String prefix, JSONSchemaProps before, JSONSchemaProps after) {
        after.getRequired().stream()
                .filter(field -> !before.getRequired().contains(field))
                .forEach(field -> found.add(prefix + field + ": is required now"));
        before.getProperties()
                .forEach((field, schema) -> Optional.ofNullable(
                                after.getProperties().get(field))
                        .ifPresentOrElse(
                                it -> schemas(prefix + field, schema, it),
                                () -> found.add(prefix + field + ": is gone")));
    }

    private void inside(
            String path,
            JSONSchemaProps before,
            JSONSchemaProps after,
            Function<JSONSchemaProps, Optional<JSONSchemaProps>> child) {
        child.apply(before)
                .ifPresent(schema -> child.apply(after)
                        .ifPresentOrElse(it -> schemas(path, schema, it), () -> found.add(path + ": is gone")));
    }

    private void enums(String path, JSONSchemaProps before, JSONSchemaProps after) {
        if (before.getEnum().isEmpty() && !after.getEnum().isEmpty()) {
            found.add(path + ": only some values are allowed now");
            return;
        }
        if (!after.getEnum().isEmpty()) {
            kept(path + ": value", before, after, IncompatibleChanges::values);
        }
    }

    private <T> void same(String what, T before, T after, Function<T, ?> value) {
        Object was = value.apply(before);
        Object is = value.apply(after);
        if (!Objects.equals(was, is)) {
            found.add(what + " was " + was + " and is " + is);
        }
    }

    /** {@return whether a rule holds for each object without a field, and no object had this field before} */
    private static boolean isAboutNewField(String rule, JSONSchemaProps before) {
        Matcher absent = ABSENT_FIELD.matcher(rule);
        return absent.lookingAt() && !before.getProperties().containsKey(absent.group(1));
    }

    private <T> void kept(String what, T before, T after, Function<T, List<String>> values) {
        values.apply(before).stream()
                .filter(value -> !values.apply(after).contains(value))
                .forEach(value -> found.add(what + " " + value + " is gone"));
    }

    private <T> void added(String what, T before, T after, Function<T, List<String>> values) {
        values.apply(after).stream()
                .filter(value -> !values.apply(before).contains(value))
                .forEach(value -> found.add(what + " " + value + " is new"));
    }

    private <N extends Number> void atLeast(
            String what, JSONSchemaProps before, JSONSchemaProps after, Function<JSONSchemaProps, N> bound) {
        N now = bound.apply(after);
        if (now != null
                && (bound.apply(before) == null
                        || now.doubleValue() > bound.apply(before).doubleValue())) {
            found.add(what + " is raised to " + now);
        }
    }

    private <N extends Number> void atMost(
            String what, JSONSchemaProps before, JSONSchemaProps after, Function<JSONSchemaProps, N> bound) {
        N now = bound.apply(after);
        if (now != null
                && (bound.apply(before) == null
                        || now.doubleValue() < bound.apply(before).doubleValue())) {
            found.add(what + " is lowered to " + now);
        }
    }
}
