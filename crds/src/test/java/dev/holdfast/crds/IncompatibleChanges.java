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

/**
 * Compares a CRD with a released one, and names each change after which an object that the released CRD admits may be
 * refused, or may mean something else.
 */
final class IncompatibleChanges {
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
        objects("", before.getSchema().getOpenAPIV3Schema(), after.getSchema().getOpenAPIV3Schema());
    }

    private void schemas(String path, JSONSchemaProps before, JSONSchemaProps after) {
        same(path + ": type", before, after, JSONSchemaProps::getType);
        same(path + ": int-or-string", before, after, JSONSchemaProps::getXKubernetesIntOrString);
        same(path + ": format", before, after, JSONSchemaProps::getFormat);
        same(path + ": default", before, after, JSONSchemaProps::getDefault);
        same(path + ": list type", before, after, JSONSchemaProps::getXKubernetesListType);
        same(path + ": list keys", before, after, JSONSchemaProps::getXKubernetesListMapKeys);
        same(path + ": map type", before, after, JSONSchemaProps::getXKubernetesMapType);
        added(
                path + ": pattern",
                before,
                after,
                schema -> Optional.ofNullable(schema.getPattern()).stream().toList());
        added(
                path + ": rule",
                before,
                after,
                schema -> schema.getXKubernetesValidations().stream()
                        .map(ValidationRule::getRule)
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
            kept(
                    path + ": value",
                    before,
                    after,
                    schema -> schema.getEnum().stream().map(JsonNode::asText).toList());
        }
    }

    private <T> void same(String what, T before, T after, Function<T, ?> value) {
        Object was = value.apply(before);
        Object is = value.apply(after);
        if (!Objects.equals(was, is)) {
            found.add(what + " was " + was + " and is " + is);
        }
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
