package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.annotation.AnnotationRulesParser;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.injected.InjectedRules;
import dev.holdfast.policies.model.injected.InjectedRules.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Decodes pods with rules in their annotation. */
class AnnotatedPodTest {
    private final List<String> parsed = new ArrayList<>();
    private final PodDecoder decoder = new PodDecoder(SchedulingScope.RULES, text -> {
        parsed.add(text);
        return AnnotationRulesParser.parse(text);
    });

    private Scheduling decoded(String rules) throws MalformedException {
        return decoded(rules, message());
    }

    private Scheduling decoded(String rules, Message spec) throws MalformedException {
        Message metadata = message()
                .text(1, "p")
                .text(3, "shop")
                .text(5, "u")
                .text(6, "1")
                .entry(12, "a", "b")
                .entry(12, AnnotationRules.ANNOTATION, rules)
                .entry(12, "holdfast.dev/required-during-executions", "x");
        return decoder.decode(
                        new ByteSlice(message().part(1, metadata).part(2, spec).bytes()))
                .scheduling();
    }

    private static String apart(int rules) {
        return IntStream.range(0, rules)
                .mapToObj(
                        i -> "{\"name\": \"r" + i + "\", \"podAntiAffinityTerm\": {\"labelSelector\": {\"matchLabels\":"
                                + " {\"app\": \"a" + i + "\"}}, \"topologyKey\": \"zone\"}}")
                .collect(Collectors.joining(", ", "{\"apiVersion\": \"holdfast.dev/v1alpha1\", \"rules\": [", "]}"));
    }

    private static Message apartInSpec() {
        return message()
                .part(
                        18,
                        message()
                                .part(
                                        3,
                                        message()
                                                .part(
                                                        1,
                                                        message()
                                                                .part(1, message())
                                                                .text(3, "zone"))));
    }

    @Test
    void podsOfOneTemplateShareTheRulesThatAreParsedOnce() throws MalformedException {
        Scheduling first = decoded(apart(1));
        Scheduling second = decoded(apart(1));

        assertThat(first.annotationRules()).isInstanceOf(AnnotationRules.Given.class);
        assertThat(second).isSameAs(first);
        assertThat(parsed).containsExactly(apart(1));
    }

    @Test
    void aPodWithoutTheAnnotationHasNoneAndIsNotParsed() throws MalformedException {
        Scheduling scheduling = decoder.decode(new ByteSlice(message()
                        .part(
                                1,
                                message()
                                        .text(1, "p")
                                        .text(3, "shop")
                                        .text(5, "u")
                                        .text(6, "1")
                                        .entry(12, "holdfast.dev/injected-rules", ""))
                        .part(2, apartInSpec())
                        .bytes()))
                .scheduling();

        assertThat(scheduling.annotationRules()).isEqualTo(AnnotationRules.none());
        assertThat(parsed).isEmpty();
    }

    @Test
    void aRecordOfInjectedRulesIsReadInFull() throws MalformedException {
        InjectedRules record = new InjectedRules(List.of(new InjectedRules.Entry(
                "PlacementPolicy/" + "w".repeat(1_100) + "/apart", new Place.PodAntiAffinity(0))));

        Scheduling scheduling = recorded(record.text());

        assertThat(scheduling.podAntiAffinity()).hasSize(1);
        assertThat(scheduling.own().podAntiAffinity()).isEmpty();
    }

    /** It may name any of the rules, so that Holdfast cannot know which are the pod's own. */
    @Test
    void aPodWhoseRecordIsTooLongIsTooComplex() throws MalformedException {
        Scheduling scheduling = recorded("PlacementPolicy/web/apart node:-:1.0, ".repeat(600));

        assertThat(scheduling.tooComplex()).contains("its record of injected rules has more than 20000 characters");
    }

    private Scheduling recorded(String record) throws MalformedException {
        return decoder.decode(new ByteSlice(message()
                        .part(
                                1,
                                message()
                                        .text(1, "p")
                                        .text(3, "shop")
                                        .text(5, "u")
                                        .text(6, "1")
                                        .entry(12, InjectedRules.ANNOTATION, record))
                        .part(2, apartInSpec())
                        .bytes()))
                .scheduling();
    }

    @Test
    void aLongAnnotationIsNotParsed() throws MalformedException {
        assertThat(decoded(" ".repeat(8_193)).annotationRules())
                .isEqualTo(new AnnotationRules.Refused("it must have at most 8192 bytes"));
        assertThat(parsed).isEmpty();
        assertThat(decoded(apart(1) + " ".repeat(8_192 - apart(1).length())).annotationRules())
                .isInstanceOf(AnnotationRules.Given.class);
    }

    @Test
    void aRuleOfTheAnnotationThatIsInjectedCountsOnce() throws MalformedException {
        String twelve = apart(11)
                .replace(
                        "]}",
                        ", {\"name\": \"all\", \"podAntiAffinityTerm\": {\"labelSelector\": {},"
                                + " \"topologyKey\": \"zone\"}}]}");

        assertThat(decoded(twelve, apartInSpec()).annotationRules()).isInstanceOf(AnnotationRules.Given.class);
        assertThat(decoded(apart(12), apartInSpec()).annotationRules()).isInstanceOf(AnnotationRules.Refused.class);
    }

    @Test
    void theRulesOfSpecAndAnnotationTogetherAreLimited() throws MalformedException {
        assertThat(decoded(apart(12)).annotationRules()).isInstanceOf(AnnotationRules.Given.class);
        assertThat(decoded(apart(11), apartInSpec()).annotationRules()).isInstanceOf(AnnotationRules.Given.class);

        Scheduling tooMany = decoded(apart(12), apartInSpec());

        assertThat(tooMany.annotationRules())
                .isEqualTo(
                        new AnnotationRules.Refused("with its rules and those of the pod's spec, it has 13 required pod"
                                + " (anti-)affinity terms and spread constraints, and Holdfast reads at most 12"));
        assertThat(tooMany.tooComplex()).isEmpty();
        assertThat(tooMany.podAntiAffinity()).hasSize(1);
    }

    static Stream<Arguments> sizes() {
        String names = "[\"n1\", \"n2\", \"n3\"]";
        String node = nodeRule("disk", names);
        return Stream.of(
                argumentSet("a node rule: its name, a term, a key and three values", node, 6, 14),
                argumentSet(
                        "two node rules, one of which has a longer name",
                        node + ", " + nodeRule("second-disk", "[\"n4\"]"),
                        10,
                        31),
                argumentSet(
                        "pod affinity: its name, a topology key, a label and three namespaces",
                        podRule("podAffinityTerm", names),
                        6,
                        20),
                argumentSet(
                        "pod anti-affinity: its name, a topology key, a label and three namespaces",
                        podRule("podAntiAffinityTerm", names),
                        6,
                        20),
                argumentSet(
                        "topology spread: its name, a topology key, a label key and three values",
                        spreadRule(names),
                        6,
                        17));
    }

    private static String nodeRule(String name, String values) {
        return "{\"name\": \"" + name + "\", \"nodeAffinity\": {\"required\": {\"nodeSelectorTerms\":"
                + " [{\"matchExpressions\": [{\"key\": \"disk\", \"operator\": \"In\", \"values\": " + values
                + "}]}]}}}";
    }

    private static String podRule(String kind, String namespaces) {
        return "{\"name\": \"rule\", \"" + kind + "\": {\"labelSelector\": {\"matchLabels\": {\"app\": \"web\"}},"
                + " \"topologyKey\": \"zone\", \"namespaces\": " + namespaces + "}}";
    }

    private static String spreadRule(String values) {
        return "{\"name\": \"rule\", \"topologySpreadConstraint\": {\"maxSkew\": 1, \"topologyKey\": \"zone\","
                + " \"whenUnsatisfiable\": \"DoNotSchedule\", \"labelSelector\": {\"matchExpressions\":"
                + " [{\"key\": \"app\", \"operator\": \"In\", \"values\": " + values + "}]}}}";
    }

    /** {@return a spec whose node selector has this many labels, which together have this many characters} */
    private static Message nodeSelector(int labels, int characters) {
        Message spec = message();
        int left = characters;
        for (int i = labels; i > 0; i--) {
            int share = left / i;
            spec.entry(7, "k" + (100 + i), "v".repeat(share - 4));
            left -= share;
        }
        return spec;
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void thePartsOfSpecAndAnnotationTogetherAreLimited(String rules, int parts, int characters)
            throws MalformedException {
        String annotation = "{\"apiVersion\": \"holdfast.dev/v1alpha1\", \"rules\": [" + rules + "]}";

        assertThat(decoded(annotation, nodeSelector(192 - parts, 1_000)).annotationRules())
                .isInstanceOf(AnnotationRules.Given.class);
        assertThat(decoded(annotation, nodeSelector(193 - parts, 1_000)).annotationRules())
                .isEqualTo(new AnnotationRules.Refused("with its rules and those of the pod's spec, it has 193 terms,"
                        + " expressions, values and tolerations, and Holdfast reads at most 192"));
        assertThat(decoded(annotation, nodeSelector(100, 4_096 - characters)).annotationRules())
                .isInstanceOf(AnnotationRules.Given.class);
        assertThat(decoded(annotation, nodeSelector(100, 4_097 - characters)).annotationRules())
                .isEqualTo(new AnnotationRules.Refused("with its rules and those of the pod's spec, it has 4,097"
                        + " characters in its required rules and tolerations, and Holdfast reads at most 4,096"));
    }
}
