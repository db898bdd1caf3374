package dev.holdfast.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every field of the CRDs follows the Kubernetes API conventions. */
class CrdConventionsTest {
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    /** Values without quotes that kubectl reads as booleans, because it reads YAML 1.1. */
    private static final Pattern YAML_1_1_BOOLEAN =
            Pattern.compile("(?im)^.*[:-] (y|n|yes|no|on|off|(?-i:True|False))$");

    /**
     * A schema and its path in the CRD. The path of a list entry ends with {@code []}, that of a map entry with {@code
     * {}}.
     */
    record Node(String path, JSONSchemaProps schema) {
        boolean isField() {
            return !path.endsWith("]") && !path.endsWith("}");
        }

        boolean isSpecField() {
            return isField() && path.startsWith("spec.");
        }

        boolean is(String type) {
            return type.equals(schema.getType());
        }
    }

    static Stream<Arguments> files() {
        return CrdFile.all().stream().map(file -> argumentSet(file.name(), file));
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyFieldSaysWhatItIsWithAnExample(CrdFile file) {
        assertThat(nodes(file).stream()
                        .filter(Node::isField)
                        .filter(node -> !has(node.schema().getDescription(), " Example: .+\\.$"))
                        .map(Node::path))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyFieldOfTheSpecSaysItsDefaultOrThatItIsRequired(CrdFile file) {
        Set<String> required = required(file);

        assertThat(nodes(file).stream()
                        .filter(Node::isSpecField)
                        .filter(node -> !has(
                                node.schema().getDescription(),
                                required.contains(node.path()) ? " Required[.,]" : " Default: "))
                        .map(Node::path))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("files")
    void aStaticDefaultIsTheOneTheTextNames(CrdFile file) {
        Map<String, String> defaults = new TreeMap<>();
        nodes(file).stream()
                .filter(node -> node.schema().getDefault() != null)
                .forEach(node ->
                        defaults.put(node.path(), node.schema().getDefault().toString()));

        // Only ClusterPlacementPolicy has it.
        assertThat(defaults.remove("spec.podOverrides")).isIn(null, "\"Honor\"");
        Map<String, String> ofPauses = Map.of("spec.windows[].timeZone", "\"Etc/UTC\"");
        Map<String, String> ofPolicies =
                Map.ofEntries(Map.entry("spec.mode", "\"Audit\""), Map.entry("spec.windows[].timeZone", "\"Etc/UTC\""));
        assertThat(defaults).isEqualTo(isPause(file) ? ofPauses : ofPolicies);
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyStringListAndMapHasAMost(CrdFile file) {
        assertThat(nodes(file).stream()
                        .filter(node -> isUnbounded(node.schema()))
                        .map(Node::path))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyWholeNumberHasAFormatAndInTheSpecBothBounds(CrdFile file) {
        assertThat(nodes(file))
                .filteredOn(node -> node.is("integer"))
                .isNotEmpty()
                .allSatisfy(node -> assertThat(node.schema().getFormat())
                        .as(node.path())
                        .isEqualTo(node.path().endsWith("observedGeneration") ? "int64" : "int32"))
                .filteredOn(Node::isSpecField)
                .allSatisfy(node -> {
                    assertThat(node.schema().getMinimum()).as(node.path()).isNotNull();
                    assertThat(node.schema().getMaximum()).as(node.path()).isNotNull();
                });
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyMomentIsADateTimeAndNothingElseIs(CrdFile file) {
        assertThat(nodes(file))
                .allSatisfy(node -> assertThat("date-time".equals(node.schema().getFormat()))
                        .as(node.path())
                        .isEqualTo(has(node.path(), "([a-z]Time|\\.time)$")));
    }

    /** The markers of metav1.Condition in apimachinery, by field. */
    @ParameterizedTest
    @MethodSource("files")
    void aConditionHasTheMarkersOfMetav1(CrdFile file) {
        JSONSchemaProps condition = nodes(file).stream()
                .filter(node -> node.path().equals("status.conditions[]"))
                .map(Node::schema)
                .findFirst()
                .orElseThrow();
        Map<String, String> markers = new TreeMap<>();
        condition.getProperties().forEach((name, field) -> markers.put(name, markers(field)));

        assertThat(markers)
                .isEqualTo(Map.of(
                        "type",
                        "string, maxLength 316, pattern ^([a-z0-9]([-a-z0-9]*[a-z0-9])?"
                                + "(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
                        "status",
                        "string, one of [True, False, Unknown]",
                        "reason",
                        "string, minLength 1, maxLength 1024, pattern ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
                        "message",
                        "string, maxLength 32768",
                        "lastTransitionTime",
                        "string, date-time, maxLength 64",
                        "observedGeneration",
                        "integer, int64, minimum 0"));
        assertThat(condition.getRequired())
                .containsExactlyInAnyOrder("lastTransitionTime", "message", "reason", "status", "type");
    }

    private static String markers(JSONSchemaProps field) {
        List<String> markers = new ArrayList<>(List.of(field.getType()));
        Optional.ofNullable(field.getFormat()).ifPresent(markers::add);
        Optional.ofNullable(field.getMinimum()).ifPresent(it -> markers.add("minimum " + it.longValue()));
        Optional.ofNullable(field.getMinLength()).ifPresent(it -> markers.add("minLength " + it));
        Optional.ofNullable(field.getMaxLength()).ifPresent(it -> markers.add("maxLength " + it));
        Optional.ofNullable(field.getPattern()).ifPresent(it -> markers.add("pattern " + it));
        if (!field.getEnum().isEmpty()) {
            markers.add(
                    "one of " + field.getEnum().stream().map(JsonNode::asText).toList());
        }
        return String.join(", ", markers);
    }

    /** Times and choices have a fixed length. All other texts count, so that none makes a status longer than 8 KiB. */
    @ParameterizedTest
    @MethodSource("files")
    void everyTextInAListOfTheStatusCountsInItsLength(CrdFile file) {
        String rule = nodes(file).stream()
                .filter(node -> node.path().equals("status"))
                .map(node ->
                        node.schema().getXKubernetesValidations().getFirst().getRule())
                .findFirst()
                .orElseThrow();

        assertThat(nodes(file))
                .filteredOn(node -> has(node.path(), "^status\\.[a-zA-Z]+\\[\\]\\.") && node.is("string"))
                .filteredOn(node -> node.schema().getFormat() == null
                        && node.schema().getEnum().isEmpty())
                .isNotEmpty()
                .allSatisfy(node -> assertThat(partAbout(node.path(), rule))
                        .as(node.path())
                        .contains("size(it" + node.path().replaceFirst(".*\\.", ".") + ")"));
        assertThat(rule).endsWith("<= 8192");
    }

    /** {@return the part of a CEL sum that is about the list of this path} */
    private static String partAbout(String path, String rule) {
        String list = "self." + path.replaceFirst("^status\\.", "").replaceFirst("\\[.*", "");
        return Stream.of(rule.split("has\\(self\\.", -1))
                .map(part -> "self." + part)
                .filter(part -> part.startsWith(list + ")"))
                .findFirst()
                .orElse("");
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyTimeZoneOfTheJdkHasAnAdmittedName(CrdFile file) {
        List<Pattern> patterns = nodes(file).stream()
                .filter(node -> node.path().equals("spec.windows[].timeZone"))
                .flatMap(node -> node.schema().getXKubernetesValidations().stream())
                .map(rule -> Pattern.compile(rule.getRule().replaceFirst("^self\\.matches\\(r'(.*)'\\)$", "$1")))
                .toList();

        assertThat(patterns).hasSize(1);
        assertThat(ZoneId.getAvailableZoneIds())
                .allMatch(zone -> patterns.getFirst().matcher(zone).matches());
        assertThat(List.of("+01:00", "Europe/", "/Europe", "Europe/New Zurich", "Europe//Zurich", "12"))
                .noneMatch(zone -> patterns.getFirst().matcher(zone).matches());
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyListSaysHowItIsMerged(CrdFile file) {
        Map<String, String> keys = new TreeMap<>();
        nodes(file).stream().filter(node -> node.is("array")).forEach(node -> {
            assertThat(node.schema().getXKubernetesListType()).as(node.path()).isIn("atomic", "map", "set");
            node.schema().getXKubernetesListMapKeys().forEach(key -> keys.put(node.path(), key));
        });

        assertThat(keys)
                .isEqualTo(
                        isPause(file)
                                ? Map.of("spec.windows", "name", "status.conditions", "type")
                                : Map.of(
                                        "spec.podRules", "kind",
                                        "spec.rules", "name",
                                        "spec.windows", "name",
                                        "spec.exceptions", "name",
                                        "status.conditions", "type",
                                        "status.holds", "reason"));
    }

    @ParameterizedTest
    @MethodSource("files")
    void everySelectorIsAtomic(CrdFile file) {
        assertThat(nodes(file))
                .filteredOn(node -> has(node.path(), "([a-z]Selector|nodeAffinity\\.required)$"))
                .isNotEmpty()
                .allSatisfy(node -> assertThat(node.schema().getXKubernetesMapType())
                        .as(node.path())
                        .isEqualTo("atomic"));
    }

    @ParameterizedTest
    @MethodSource("files")
    void noFieldIsNullableOrTakesWhatItDoesNotName(CrdFile file) {
        assertThat(nodes(file)).allSatisfy(node -> {
            assertThat(node.schema().getNullable()).as(node.path()).isNull();
            assertThat(node.schema().getXKubernetesPreserveUnknownFields())
                    .as(node.path())
                    .isNull();
            if (!Boolean.TRUE.equals(node.schema().getXKubernetesIntOrString())) {
                assertThat(node.schema().getType()).as(node.path()).isIn("object", "array", "string", "integer");
            }
        });
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyRuleHasAMessageAndStandsOnce(CrdFile file) {
        assertThat(nodes(file))
                .allSatisfy(node -> assertThat(node.schema().getXKubernetesValidations())
                        .as(node.path())
                        .doesNotHaveDuplicates()
                        .allSatisfy(rule -> assertThat(rule.getMessage()).isNotBlank()));
    }

    @ParameterizedTest
    @MethodSource("files")
    void noPlainWordIsABooleanToKubectl(CrdFile file) {
        assertThat(YAML_1_1_BOOLEAN
                        .matcher(file.yaml())
                        .results()
                        .map(found -> found.group().strip()))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("files")
    void theKindIsServedWithItsStatusApart(CrdFile file) {
        CustomResourceDefinition crd = YAML.unmarshal(file.yaml(), CustomResourceDefinition.class);
        CustomResourceDefinitionVersion version = version(file);

        assertThat(crd.getSpec().getGroup()).isEqualTo("holdfast.dev");
        assertThat(crd.getSpec().getNames().getCategories()).containsExactly("holdfast");
        assertThat(version.getName()).isEqualTo("v1alpha1");
        assertThat(version.getServed()).isTrue();
        assertThat(version.getStorage()).isTrue();
        assertThat(version.getSubresources().getStatus()).isNotNull();
        assertThat(version.getSelectableFields())
                .extracting("jsonPath")
                .isEqualTo(isPause(file) ? List.of() : List.of(".spec.mode"));
        assertThat(version.getAdditionalPrinterColumns())
                .filteredOn(column -> column.getPriority() == null)
                .extracting("name")
                .isEqualTo(
                        isPause(file)
                                ? List.of("Active", "State", "Until", "Reason", "Age")
                                : List.of("Mode", "Ready", "Pods", "Violating", "Held", "Hold", "Next", "Age"));
    }

    private static boolean isPause(CrdFile file) {
        return file.name().startsWith("enforcementpauses.");
    }

    private static boolean isUnbounded(JSONSchemaProps schema) {
        return switch (schema.getType()) {
            case null -> schema.getMaxLength() == null;
            case "string" -> schema.getMaxLength() == null && schema.getEnum().isEmpty();
            case "array" -> schema.getMaxItems() == null;
            case "object" -> schema.getAdditionalProperties() != null && schema.getMaxProperties() == null;
            default -> false;
        };
    }

    private static boolean has(String text, String pattern) {
        return text != null
                && Pattern.compile(pattern, Pattern.DOTALL).matcher(text).find();
    }

    private static Set<String> required(CrdFile file) {
        return nodes(file).stream()
                .flatMap(node -> node.schema().getRequired().stream().map(name -> node.path() + "." + name))
                .collect(Collectors.toSet());
    }

    private static List<Node> nodes(CrdFile file) {
        List<Node> nodes = new ArrayList<>();
        JSONSchemaProps root = version(file).getSchema().getOpenAPIV3Schema();
        root.getProperties().forEach((name, child) -> walk(name, child, nodes));
        return nodes;
    }

    private static void walk(String path, JSONSchemaProps schema, List<Node> nodes) {
        nodes.add(new Node(path, schema));
        schema.getProperties().forEach((name, child) -> walk(path + "." + name, child, nodes));
        Optional.ofNullable(schema.getItems()).ifPresent(items -> walk(path + "[]", items.getSchema(), nodes));
        Optional.ofNullable(schema.getAdditionalProperties())
                .ifPresent(values -> walk(path + "{}", values.getSchema(), nodes));
    }

    private static CustomResourceDefinitionVersion version(CrdFile file) {
        return YAML.unmarshal(file.yaml(), CustomResourceDefinition.class)
                .getSpec()
                .getVersions()
                .getFirst();
    }
}
