package dev.holdfast.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRuleBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the CRDs admit every object that the released CRDs in {@code src/test/resources/released} admit, with the
 * same meaning. A release copies its CRDs there.
 */
class IncompatibleChangesTest {
    private static final Path RELEASED = Path.of("src/test/resources/released");
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private static final String CONDITION_TYPE = "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
            + "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

    static Stream<Arguments> files() {
        return CrdFile.all().stream().map(file -> argumentSet(file.name(), file));
    }

    @ParameterizedTest
    @MethodSource("files")
    void theCrdAdmitsWhatTheReleasedOneAdmits(CrdFile file) {
        assertThat(IncompatibleChanges.between(crd(released(file)), crd(file.yaml())))
                .as("Changes that break objects of users. Add a version with a conversion, or withdraw the change.")
                .isEmpty();
    }

    @Test
    void everyReleasedCrdIsStillThere() throws IOException {
        try (Stream<Path> released = Files.list(RELEASED)) {
            assertThat(released.map(path -> path.getFileName().toString().replace(".yaml", "")))
                    .isNotEmpty()
                    .isSubsetOf(CrdFile.all().stream().map(CrdFile::name).toList());
        }
    }

    static Stream<Arguments> incompatible() {
        return Stream.of(
                row("a field goes", root -> spec(root).getProperties().remove("limits"), "spec.limits: is gone"),
                row(
                        "a field of a list's entries goes",
                        root -> entry(root, "rules").getProperties().remove("victim"),
                        "spec.rules[].victim: is gone"),
                row(
                        "a field becomes required",
                        root -> spec(root).setRequired(List.of("podSelector")),
                        "spec.podSelector: is required now"),
                row(
                        "a field gets another type",
                        root -> field(root, "forgivenessSeconds").setType("string"),
                        "spec.forgivenessSeconds: type was integer and is string"),
                row(
                        "a value goes",
                        root -> field(root, "mode").setEnum(List.of(TextNode.valueOf("Audit"))),
                        "spec.mode: value Disabled is gone",
                        "spec.mode: value Enforce is gone"),
                row(
                        "a free text becomes a choice",
                        root -> field(root, "limits").setEnum(List.of(TextNode.valueOf("few"))),
                        "spec.limits: only some values are allowed now"),
                row(
                        "a minimum is raised",
                        root -> field(root, "forgivenessSeconds").setMinimum(1.0),
                        "spec.forgivenessSeconds: minimum is raised to 1.0"),
                row(
                        "a maximum is lowered",
                        root -> field(root, "forgivenessSeconds").setMaximum(3_600.0),
                        "spec.forgivenessSeconds: maximum is lowered to 3600.0"),
                row(
                        "a list gets shorter",
                        root -> field(root, "rules").setMaxItems(10L),
                        "spec.rules: maxItems is lowered to 10"),
                row(
                        "a list must not be empty any more",
                        root -> field(root, "rules").setMinItems(1L),
                        "spec.rules: minItems is raised to 1"),
                row(
                        "a default is another one",
                        root -> field(root, "mode").setDefault(TextNode.valueOf("Enforce")),
                        "spec.mode: default was \"Audit\" and is \"Enforce\""),
                row(
                        "a list is merged in another way",
                        root -> field(root, "allow").setXKubernetesListType("atomic"),
                        "spec.allow: list type was set and is atomic"),
                row(
                        "a pattern is added",
                        root -> Objects.requireNonNull(
                                        entry(root, "windows").getProperties().get("timeZone"))
                                .setPattern("^Etc/.*$"),
                        "spec.windows[].timeZone: pattern ^Etc/.*$ is new"),
                row(
                        "a rule is added",
                        root -> spec(root)
                                .setXKubernetesValidations(List.of(new ValidationRuleBuilder()
                                        .withRule("false")
                                        .build())),
                        "spec: rule false is new"),
                row(
                        "a rule about an old field is added",
                        root -> spec(root)
                                .setXKubernetesValidations(List.of(new ValidationRuleBuilder()
                                        .withRule("!has(self.nodeSelector) || false")
                                        .build())),
                        "spec: rule !has(self.nodeSelector) || false is new"),
                row(
                        "a rule about a new field and more is added",
                        root -> spec(root)
                                .setXKubernetesValidations(List.of(new ValidationRuleBuilder()
                                        .withRule("!has(self.more) || false && false")
                                        .build())),
                        "spec: rule !has(self.more) || false && false is new"),
                row(
                        "a rule for the whole object is added",
                        root -> root.setXKubernetesValidations(List.of(
                                new ValidationRuleBuilder().withRule("false").build())),
                        "the object: rule false is new"),
                row(
                        "the pattern of a condition's type goes",
                        root -> condition(root, "type").setPattern(null),
                        "status.conditions[].type: pattern " + CONDITION_TYPE + " is gone"),
                row(
                        "a condition's message gets a pattern",
                        root -> condition(root, "message").setPattern("^.$"),
                        "status.conditions[].message: pattern ^.$ is new"),
                row(
                        "a condition's status may be anything",
                        root -> condition(root, "status").setEnum(List.of()),
                        "status.conditions[].status: any value is allowed now"),
                row(
                        "a condition's status has one more value",
                        root -> condition(root, "status")
                                .setEnum(Stream.of("True", "False", "Unknown", "Maybe")
                                        .<JsonNode>map(TextNode::valueOf)
                                        .toList()),
                        "status.conditions[].status: value Maybe is new"),
                row(
                        "a condition's reason is one of some values",
                        root -> condition(root, "reason").setEnum(List.of(TextNode.valueOf("Evaluated"))),
                        "status.conditions[].reason: only some values are allowed now"),
                row(
                        "a condition's reason may be longer",
                        root -> condition(root, "reason").setMaxLength(2_048L),
                        "status.conditions[].reason: maxLength was 1024 and is 2048"),
                row(
                        "a condition's reason may be empty",
                        root -> condition(root, "reason").setMinLength(null),
                        "status.conditions[].reason: minLength was 1 and is null"),
                row(
                        "a condition may have no reason",
                        root -> conditions(root)
                                .setRequired(List.of("lastTransitionTime", "message", "status", "type")),
                        "status.conditions[].reason: is not required any more"));
    }

    private static Arguments row(String name, Consumer<JSONSchemaProps> edit, String... changes) {
        return argumentSet(name, edit, List.of(changes));
    }

    @ParameterizedTest
    @MethodSource("incompatible")
    void anIncompatibleChangeIsNamed(Consumer<JSONSchemaProps> edit, List<String> changes) {
        assertThat(after(edit)).isEqualTo(changes);
    }

    static Stream<Arguments> compatible() {
        return Stream.of(
                row(
                        "an optional field is added",
                        root -> spec(root)
                                .getProperties()
                                .put(
                                        "more",
                                        new JSONSchemaPropsBuilder()
                                                .withType("string")
                                                .build())),
                row(
                        "a value is added",
                        root -> field(root, "mode")
                                .setEnum(Stream.of("Audit", "Disabled", "Enforce", "Warn")
                                        .<JsonNode>map(TextNode::valueOf)
                                        .toList())),
                row(
                        "a rule about a new field is added",
                        root -> spec(root)
                                .setXKubernetesValidations(List.of(new ValidationRuleBuilder()
                                        .withRule("!has(self.more) || self.more != 'a' || !has(self.rules)")
                                        .build()))),
                row("a bound is widened", root -> field(root, "rules").setMaxItems(40L)),
                row("a description changes", root -> field(root, "rules").setDescription("Other words.")),
                row("a rule goes", root -> spec(root).setXKubernetesValidations(List.of())));
    }

    @ParameterizedTest
    @MethodSource("compatible")
    void aCompatibleChangeIsNot(Consumer<JSONSchemaProps> edit, List<String> none) {
        assertThat(after(edit)).isEqualTo(none);
    }

    static Stream<Arguments> names() {
        return Stream.of(
                argumentSet(
                        "the version is not served any more",
                        (Consumer<CustomResourceDefinition>)
                                crd -> crd.getSpec().getVersions().getFirst().setServed(false),
                        "version v1alpha1 is not served any more"),
                argumentSet(
                        "the scope is another one",
                        (Consumer<CustomResourceDefinition>)
                                crd -> crd.getSpec().setScope("Cluster"),
                        "scope was Namespaced and is Cluster"),
                argumentSet(
                        "a short name goes",
                        (Consumer<CustomResourceDefinition>)
                                crd -> crd.getSpec().getNames().setShortNames(List.of()),
                        "short name plpol is gone"),
                argumentSet(
                        "a field selector goes",
                        (Consumer<CustomResourceDefinition>)
                                crd -> crd.getSpec().getVersions().getFirst().setSelectableFields(List.of()),
                        "selectable field .spec.mode is gone"),
                argumentSet(
                        "the status is no subresource any more",
                        (Consumer<CustomResourceDefinition>)
                                crd -> crd.getSpec().getVersions().getFirst().setSubresources(null),
                        "subresource status is gone"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void aChangeOfTheKindItselfIsNamed(Consumer<CustomResourceDefinition> edit, String change) {
        CustomResourceDefinition changed = placementPolicy();
        edit.accept(changed);

        assertThat(IncompatibleChanges.between(placementPolicy(), changed)).containsExactly(change);
    }

    private static List<String> after(Consumer<JSONSchemaProps> edit) {
        CustomResourceDefinition changed = placementPolicy();
        edit.accept(changed.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema());
        return IncompatibleChanges.between(placementPolicy(), changed);
    }

    private static JSONSchemaProps spec(JSONSchemaProps root) {
        return Objects.requireNonNull(root.getProperties().get("spec"));
    }

    private static JSONSchemaProps field(JSONSchemaProps root, String name) {
        return Objects.requireNonNull(spec(root).getProperties().get(name), name);
    }

    private static JSONSchemaProps conditions(JSONSchemaProps root) {
        return Objects.requireNonNull(
                        Objects.requireNonNull(root.getProperties().get("status"))
                                .getProperties()
                                .get("conditions"))
                .getItems()
                .getSchema();
    }

    private static JSONSchemaProps condition(JSONSchemaProps root, String name) {
        return Objects.requireNonNull(conditions(root).getProperties().get(name), name);
    }

    private static JSONSchemaProps entry(JSONSchemaProps root, String list) {
        return field(root, list).getItems().getSchema();
    }

    private static CustomResourceDefinition placementPolicy() {
        return crd(CrdFile.all().stream()
                .filter(file -> file.name().startsWith("placementpolicies."))
                .findFirst()
                .orElseThrow()
                .yaml());
    }

    private static CustomResourceDefinition crd(String yaml) {
        return YAML.unmarshal(yaml, CustomResourceDefinition.class);
    }

    private static String released(CrdFile file) {
        try {
            return Files.readString(RELEASED.resolve(file.name() + ".yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
