package dev.holdfast.operator.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.AnnotationRules.NamedRule;
import dev.holdfast.policies.model.AnnotationRules.Standing;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnnotationRulesParserTest {
    private static final String SSD = """
        {"name": "ssd", "nodeAffinity": {"required": {"nodeSelectorTerms": [
          {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}]}}}\
        """;
    private static final NamedRule READ_SSD = new NamedRule(
            "ssd",
            new AnnotationRules.OnNodes(new NodeSelector(
                    List.of(new NodeSelectorTerm(List.of(new Requirement("disk", "In", List.of("ssd"))), List.of())))));
    private static final String NOT_KNOWN = "is not known to this version of Holdfast";
    private static final String WRONG_TYPE = "has a value of a wrong type, as in docs/policy-reference.md";

    private static String document(String fields) {
        return "{\"apiVersion\": \"holdfast.dev/v1alpha1\", " + fields + "}";
    }

    private static String rules(String... rules) {
        return document("\"rules\": [" + String.join(", ", rules) + "]");
    }

    private static String rule(String fields) {
        return rules("{\"name\": \"one\", " + fields + "}");
    }

    @Test
    void eachKindOfRuleIsReadAsInAPolicy() {
        String text = rules(SSD, """
            {"name": "near", "podAffinityTerm": {"labelSelector": {"matchLabels": {"app": "cache"}}, "topologyKey": "zone"}}\
            """, """
            {"name": "apart", "podAntiAffinityTerm": {"labelSelector": {}, "namespaceSelector": {},
             "topologyKey": "kubernetes.io/hostname"}}\
            """, """
            {"name": "even", "topologySpreadConstraint": {"maxSkew": 1, "topologyKey": "zone",
             "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"app": "web"}},
             "nodeTaintsPolicy": "Honor"}}\
            """);

        assertThat(AnnotationRulesParser.parse(text))
                .isEqualTo(new AnnotationRules.Given(
                        Standing.ADDED,
                        List.of(
                                READ_SSD,
                                new NamedRule(
                                        "near",
                                        new AnnotationRules.Near(new PodAffinityTerm(
                                                selector("app", "cache"),
                                                List.of(),
                                                Optional.empty(),
                                                "zone",
                                                List.of(),
                                                List.of()))),
                                new NamedRule(
                                        "apart",
                                        new AnnotationRules.ApartFrom(new PodAffinityTerm(
                                                Optional.of(LabelSelector.everything()),
                                                List.of(),
                                                Optional.of(LabelSelector.everything()),
                                                "kubernetes.io/hostname",
                                                List.of(),
                                                List.of()))),
                                new NamedRule(
                                        "even",
                                        new AnnotationRules.Spread(new TopologySpreadConstraint(
                                                1,
                                                "zone",
                                                selector("app", "web"),
                                                1,
                                                NodeInclusionPolicy.HONOR,
                                                NodeInclusionPolicy.HONOR,
                                                List.of()))))));
    }

    private static Optional<LabelSelector> selector(String key, String value) {
        return Optional.of(new LabelSelector(Labels.of(key, value), List.of()));
    }

    @Test
    void replacingRulesStandInForThoseOfTheSpecEvenIfThereAreNone() {
        assertThat(AnnotationRulesParser.parse(document("\"replace\": true, \"rules\": [" + SSD + "]")))
                .isEqualTo(new AnnotationRules.Given(Standing.REPLACING, List.of(READ_SSD)));
        assertThat(AnnotationRulesParser.parse(document("\"replace\": true, \"rules\": []")))
                .isEqualTo(new AnnotationRules.Given(Standing.REPLACING, List.of()));
    }

    @Test
    void textWithAnEscapeIsReadButTheApiServerCannotReadIt() {
        assertThat(AnnotationRulesParser.parse(rules(SSD.replace("disk", "\\u0064isk"))))
                .isEqualTo(new AnnotationRules.Given(
                        Standing.ADDED, AnnotationRules.Text.WITH_ESCAPES, List.of(READ_SSD)));
    }

    @Test
    void emptyPartsThatAreKnownAreRead() {
        assertThat(AnnotationRulesParser.parse(
                        rules(SSD.replace("\"matchExpressions\"", "\"matchFields\": [], \"matchExpressions\""))))
                .isEqualTo(new AnnotationRules.Given(Standing.ADDED, List.of(READ_SSD)));
        assertThat(AnnotationRulesParser.parse(rule(
                        "\"podAffinityTerm\": {\"labelSelector\": {\"matchLabels\": {}}, \"topologyKey\": \"zone\"}")))
                .isInstanceOf(AnnotationRules.Given.class);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                row(
                        "an unknown field of a node term, although it is empty",
                        rules(SSD.replace("\"matchExpressions\"", "\"match\": [], \"matchExpressions\"")),
                        "rules[0].nodeAffinity.required.nodeSelectorTerms[0].match: " + NOT_KNOWN),
                row(
                        "what is no name of a node",
                        rule("\"nodeAffinity\": {\"required\": {\"nodeSelectorTerms\": [{\"matchFields\": [{\"key\":"
                                + " \"metadata.name\", \"operator\": \"In\", \"values\": [\"Node 1\"]}]}]}}"),
                        "rules[0].nodeAffinity.required.nodeSelectorTerms[0].matchFields[0].values: must be the name"
                            + " of a node: lower-case letters, digits, '-' or '.', beginning and ending with a letter"
                            + " or digit"),
                row("no text", "", "it must be a JSON object with `apiVersion` and `rules`"),
                row("a list", "[]", "it must be a JSON object with `apiVersion` and `rules`"),
                row("an object without apiVersion", "{\"rules\": []}", "apiVersion: must be 'holdfast.dev/v1alpha1'"),
                row(
                        "a newer apiVersion",
                        "{\"apiVersion\": \"holdfast.dev/v1\", \"rules\": []}",
                        "apiVersion: must be 'holdfast.dev/v1alpha1', got 'holdfast.dev/v1'"),
                row(
                        "no rules",
                        document("\"replace\": false"),
                        "rules: must have at least one rule; only with \"replace\": true it may be []"),
                row(
                        "an empty list of rules that replace nothing",
                        rules(),
                        "rules: must have at least one rule; only with \"replace\": true it may be []"),
                row("replace as text", document("\"replace\": \"true\", \"rules\": []"), "replace " + WRONG_TYPE),
                row("rules as an object", document("\"rules\": {}"), "rules " + WRONG_TYPE),
                row("an unknown field", document("\"rule\": 1, \"rules\": [" + SSD + "]"), "rule: " + NOT_KNOWN),
                row(
                        "an unknown field of a rule",
                        rule("\"nodes\": {}"),
                        "rules[0].nodes: " + NOT_KNOWN
                                + "; rules[0]: must have exactly one of `nodeAffinity`, `podAffinityTerm`,"
                                + " `podAntiAffinityTerm` or `topologySpreadConstraint`"),
                row(
                        "what the policy says",
                        rules(SSD.replace("{\"name\"", "{\"mode\": \"Enforce\", \"name\"")),
                        "rules[0].mode: must be left out: the policy that allows these rules says it"),
                row(
                        "an unknown field of a selector",
                        rule("\"podAffinityTerm\": {\"topologyKey\": \"zone\","
                                + " \"labelSelector\": {\"matchLabel\": {\"app\": \"a\"}}}"),
                        "rules[0].podAffinityTerm.labelSelector.matchLabel: " + NOT_KNOWN),
                row(
                        "a number for a key",
                        rule("\"podAffinityTerm\": {\"topologyKey\": 5, \"labelSelector\": {}}"),
                        "rules[0].podAffinityTerm.topologyKey: " + WRONG_TYPE),
                row(
                        "a number for a value",
                        rules(SSD.replace("\"ssd\"]", "5]")),
                        "rules[0].nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].values[0]: "
                                + WRONG_TYPE),
                row(
                        "null in a list",
                        rules(SSD.replace("\"ssd\"]", "null]")),
                        "rules[0].nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].values[0]: must not be"
                                + " null"),
                row(
                        "an unknown operator",
                        rules(SSD.replace("\"In\"", "\"in\"")),
                        "rules[0].nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].operator: must be In,"
                                + " NotIn, Exists, DoesNotExist, Gt or Lt"),
                row(
                        "two rules of one name, which are one rule",
                        rules(SSD, SSD),
                        "rules[1].name: must be unique, but 'ssd' is the name of rules[0] too; rules[1]: is identical"
                                + " to rule 'ssd': remove one of the two"),
                row(
                        "no name",
                        rules(SSD.replace("\"ssd\", ", "\"\", ")),
                        "rules[0].name: must be 1 to 63 lower-case"
                                + " letters, digits or '-', beginning and ending with a letter or digit, got ''"),
                row(
                        "the guard against denial of service",
                        rule("\"podAntiAffinityTerm\": {\"labelSelector\": {}, \"namespaceSelector\": {},"
                                + " \"topologyKey\": \"zone\"}"),
                        "rules[0].podAntiAffinityTerm.topologyKey: must be 'kubernetes.io/hostname' when"
                            + " `namespaceSelector` is {}: one pod must not bar a whole domain to all namespaces; or"
                            + " name the namespaces"),
                row(
                        "more terms than the schema of a policy allows",
                        rule("\"nodeAffinity\": {\"required\": {\"nodeSelectorTerms\": ["
                                + IntStream.range(0, 11)
                                        .mapToObj(i -> "{\"matchExpressions\": [{\"key\": \"k" + i
                                                + "\", \"operator\": \"Exists\"}]}")
                                        .collect(Collectors.joining(","))
                                + "]}}"),
                        "rules[0].nodeAffinity.required.nodeSelectorTerms: must have 1 to 10 entries, got 11"),
                row(
                        "a skew above the schema of a policy",
                        rule("\"topologySpreadConstraint\": {\"maxSkew\": 1000001, \"topologyKey\": \"zone\","
                                + " \"whenUnsatisfiable\": \"DoNotSchedule\", \"labelSelector\": {}}"),
                        "rules[0].topologySpreadConstraint.maxSkew: must be in the range of docs/policy-reference.md,"
                                + " got 1000001"),
                row(
                        "a label without a value",
                        rule("\"podAntiAffinityTerm\": {\"topologyKey\": \"zone\", \"labelSelector\": {\"matchLabels\":"
                                + " {\"app\": null}}}"),
                        "rules[0].podAntiAffinityTerm.labelSelector.matchLabels.app: must not be null"),
                row(
                        "a key twice",
                        rule("\"podAntiAffinityTerm\": {\"topologyKey\": \"zone\", \"labelSelector\": {},"
                                + " \"matchLabelKeys\": [\"a\", \"a\"]}"),
                        "rules[0].podAntiAffinityTerm.matchLabelKeys[1]: must not be a key that comes before, got 'a'"),
                row(
                        "a list with thousands of entries is refused without a look into it",
                        rules("{\"name\": \"one\", \"nodeAffinity\": {\"required\": {\"nodeSelectorTerms\": [{}"
                                + ", {}".repeat(1_999) + "]}}}"),
                        "rules[0].nodeAffinity.required.nodeSelectorTerms: must have 1 to 10 entries, got 2000"),
                row(
                        "thousands of rules",
                        rules("{}" + ", {}".repeat(1_999)),
                        "rules: must have at most 20 items, got 2000"),
                row(
                        "more problems than an event has room for",
                        rules("{}", "{}"),
                        "rules[0].name: must be 1 to 63 lower-case letters, digits or '-', beginning and ending with a"
                                + " letter or digit, got ''; rules[1].name: must be 1 to 63 lower-case letters, digits"
                                + " or '-', beginning and ending with a letter or digit, got ''; rules[1].name: must be"
                                + " unique, but '' is the name of rules[0] too; and 2 more"));
    }

    private static Arguments row(String name, String text, String problem) {
        return argumentSet(name, text, problem);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void isRefusedAsAWhole(String text, String problem) {
        assertThat(AnnotationRulesParser.parse(text)).isEqualTo(new AnnotationRules.Refused(problem));
    }

    @Test
    void whatIsNoJsonIsRefusedWithItsPlace() {
        assertThat(problem("{\"rules\": ["))
                .startsWith("it must be JSON, got '")
                .endsWith("at line 1, column 12");
        assertThat(problem("{} {}")).startsWith("it must be JSON, got '");
        assertThat(problem(document("\"rules\": [], \"rules\": []")))
                .startsWith("it must be JSON, got 'Duplicate field 'rules'' at line 1");
        assertThat(problem("[".repeat(8_000)))
                .startsWith("it must be JSON, got '")
                .hasSizeLessThan(200);
    }

    /** Replaces each part of a valid document by each of these values, and sees whether the parser has an answer. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "[]",
                "{}",
                "[null]",
                "\"\"",
                "1",
                "1.5",
                "99999999999999999999",
                "true",
                "\"x\"",
                "[[]]",
                "{\"a\": null}",
                "{\"\": \"\"}",
                "-1",
                "0"
            })
    void aDocumentWithAnyPartReplacedIsReadOrRefused(String value) throws JsonProcessingException {
        ObjectMapper mapper = new ObjectMapper();
        JsonNode valid = mapper.readTree(rules(SSD, """
            {"name": "near", "podAffinityTerm": {
             "labelSelector": {"matchLabels": {"app": "cache"},
                               "matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]},
             "topologyKey": "zone", "namespaces": ["shop"], "namespaceSelector": {"matchLabels": {"team": "a"}},
             "matchLabelKeys": ["tier"], "mismatchLabelKeys": ["slot"]}}\
            """, """
            {"name": "apart", "podAntiAffinityTerm": {"labelSelector": {"matchLabels": {"app": "db"}}, "topologyKey": "host"}}\
            """, """
            {"name": "even", "topologySpreadConstraint": {"maxSkew": 1, "minDomains": 2, "topologyKey": "zone",
             "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"app": "web"}},
             "matchLabelKeys": ["tier"], "nodeAffinityPolicy": "Honor", "nodeTaintsPolicy": "Ignore"}}\
            """));
        List<String> paths = pointers(valid, "").toList();

        assertThat(paths)
                .hasSizeGreaterThan(50)
                .extracting(path -> problem(replaced(valid, path, mapper.readTree(value))))
                .noneMatch(problem -> problem.contains("bug"));
    }

    /** {@return the JSON pointers to all parts of a document} */
    private static Stream<String> pointers(JsonNode node, String at) {
        Stream<String> fields =
                node.properties().stream().flatMap(field -> pointers(field.getValue(), at + "/" + field.getKey()));
        Stream<String> elements = IntStream.range(0, node.isArray() ? node.size() : 0)
                .boxed()
                .flatMap(i -> pointers(node.get(i), at + "/" + i));
        return Stream.concat(at.isEmpty() ? Stream.empty() : Stream.of(at), Stream.concat(fields, elements));
    }

    private static String replaced(JsonNode document, String pointer, JsonNode value) {
        JsonNode copy = document.deepCopy();
        JsonPointer path = JsonPointer.compile(pointer);
        JsonNode parent = copy.at(path.head());
        if (parent instanceof ObjectNode object) {
            object.set(path.last().getMatchingProperty(), value);
        } else {
            ((ArrayNode) parent).set(path.last().getMatchingIndex(), value);
        }
        return copy.toString();
    }

    private static String problem(String text) {
        return AnnotationRulesParser.parse(text) instanceof AnnotationRules.Refused(String problem) ? problem : "";
    }
}
