package dev.holdfast.operator.decode;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.annotation.AnnotationRulesParser;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.InjectedRules;
import dev.holdfast.policies.model.InjectedRules.Place;
import dev.holdfast.policies.model.Scheduling;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Decodes pods with rules in their annotation. */
class AnnotatedPodTest {
    private final List<String> parsed = new ArrayList<>();
    private final PodDecoder decoder = new PodDecoder(text -> {
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

    /** It may name any of the rules, so that Holdfast holds the pod to none of them. */
    @Test
    void ofAPodWhoseRecordIsTooLongEachRuleMayBeInjected() throws MalformedException {
        Scheduling scheduling = recorded("PlacementPolicy/web/apart node:-:1.0, ".repeat(600));

        assertThat(scheduling.podAntiAffinity()).hasSize(1);
        assertThat(scheduling.own().podAntiAffinity()).isEmpty();
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
}
