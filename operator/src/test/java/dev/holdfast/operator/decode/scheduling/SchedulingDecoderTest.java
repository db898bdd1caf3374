package dev.holdfast.operator.decode.scheduling;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Preferences;
import dev.holdfast.policies.model.Preferences.Weighted;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SchedulingDecoderTest {
    private static final Message NOTHING = message();
    private static final Optional<LabelSelector> WEB =
            Optional.of(new LabelSelector(Labels.of("app", "web"), List.of()));

    static Stream<Arguments> nodeRules() {
        return Stream.of(
                row("no scheduling constraints", NOTHING, Scheduling.anywhere()),
                row(
                        "a node selector",
                        message().entry(7, "disk", "ssd").entry(7, "gpu", ""),
                        nodes(Labels.of("disk", "ssd", "gpu", ""), Optional.empty())),
                row("an empty affinity", message().part(18, NOTHING), Scheduling.anywhere()),
                row("an empty node affinity", node(NOTHING), Scheduling.anywhere()),
                row("a required node affinity without terms", node(message().part(1, NOTHING)), terms()),
                row("an empty term", required(message().part(1, NOTHING)), terms(term(List.of(), List.of()))),
                row(
                        "expressions and fields",
                        required(message()
                                .part(
                                        1,
                                        message()
                                                .part(1, expression("cpu", "Gt", "4"))
                                                .part(1, expression("disk", "Exists"))
                                                .part(2, expression("metadata.name", "In", "n1", "n2"))
                                                .number(9, 1))
                                .part(1, message().part(1, expression("", "", "")))),
                        terms(
                                term(
                                        List.of(
                                                new Requirement("cpu", "Gt", List.of("4")),
                                                new Requirement("disk", "Exists", List.of())),
                                        List.of(new Requirement("metadata.name", "In", List.of("n1", "n2")))),
                                term(List.of(new Requirement("", "", List.of(""))), List.of()))));
    }

    private static Message node(Message affinity) {
        return message().part(18, message().part(1, affinity));
    }

    private static Message required(Message selector) {
        return node(message().part(1, selector));
    }

    private static Message expression(String key, String operator, String... values) {
        Message expression = message().text(1, key).text(2, operator);
        for (String value : values) {
            expression.text(3, value);
        }
        return expression;
    }

    private static NodeSelectorTerm term(List<Requirement> expressions, List<Requirement> fields) {
        return new NodeSelectorTerm(expressions, fields);
    }

    private static Scheduling terms(NodeSelectorTerm... terms) {
        return nodes(Labels.none(), Optional.of(new NodeSelector(List.of(terms))));
    }

    private static Scheduling nodes(Labels selector, Optional<NodeSelector> affinity) {
        return new Scheduling(selector, affinity, List.of(), List.of(), List.of(), List.of());
    }

    static Stream<Arguments> podRules() {
        return Stream.of(
                row("an empty pod affinity", message().part(18, message().part(2, NOTHING)), affinity()),
                row(
                        "an empty pod affinity term",
                        term(NOTHING),
                        affinity(new PodAffinityTerm(
                                Optional.empty(), List.of(), Optional.empty(), "", List.of(), List.of()))),
                row(
                        "empty selectors are not absent",
                        term(message().part(1, NOTHING).text(3, "zone").part(4, NOTHING)),
                        affinity(new PodAffinityTerm(
                                Optional.of(LabelSelector.everything()),
                                List.of(),
                                Optional.of(LabelSelector.everything()),
                                "zone",
                                List.of(),
                                List.of()))),
                row(
                        "a term with all fields",
                        term(message()
                                .part(1, message().entry(1, "app", "web").part(2, expression("x", "NotIn", "y")))
                                .text(2, "a")
                                .text(2, "b")
                                .text(3, "zone")
                                .part(4, message().entry(1, "team", ""))
                                .text(5, "hash")
                                .text(6, "tenant")),
                        affinity(new PodAffinityTerm(
                                Optional.of(new LabelSelector(
                                        Labels.of("app", "web"), List.of(new Requirement("x", "NotIn", List.of("y"))))),
                                List.of("a", "b"),
                                Optional.of(new LabelSelector(Labels.of("team", ""), List.of())),
                                "zone",
                                List.of("hash"),
                                List.of("tenant")))),
                row(
                        "affinity and anti-affinity, several terms each",
                        message()
                                .part(
                                        18,
                                        message()
                                                .part(
                                                        2,
                                                        message()
                                                                .part(1, by("a"))
                                                                .part(1, by("b")))
                                                .part(
                                                        3,
                                                        message()
                                                                .part(1, by("c"))
                                                                .part(1, by("d")))),
                        new Scheduling(
                                Labels.none(),
                                Optional.empty(),
                                List.of(web("a"), web("b")),
                                List.of(web("c"), web("d")),
                                List.of(),
                                List.of())));
    }

    private static Message by(String topologyKey) {
        return message().part(1, message().entry(1, "app", "web")).text(3, topologyKey);
    }

    private static PodAffinityTerm web(String topologyKey) {
        return PodAffinityTerm.of(WEB.orElseThrow(), topologyKey);
    }

    private static Message term(Message term) {
        return message().part(18, message().part(2, message().part(1, term)));
    }

    private static Scheduling affinity(PodAffinityTerm... terms) {
        return new Scheduling(Labels.none(), Optional.empty(), List.of(terms), List.of(), List.of(), List.of());
    }

    static Stream<Arguments> spreads() {
        Message hard = message().number(1, 1).text(2, "zone").text(3, "DoNotSchedule");
        return Stream.of(
                row("an empty constraint is neither hard nor soft", message().part(33, NOTHING), spread()),
                row(
                        "a hard constraint without other fields",
                        message().part(33, message().text(3, "DoNotSchedule")),
                        spread(constraint(0, "", Optional.empty(), 1, List.of()))),
                row(
                        "a hard constraint without a selector",
                        message().part(33, hard),
                        spread(constraint(1, "zone", Optional.empty(), 1, List.of()))),
                row(
                        "a hard constraint with an empty selector",
                        message().part(33, message().raw(hard.bytes()).part(4, NOTHING)),
                        spread(constraint(1, "zone", Optional.of(LabelSelector.everything()), 1, List.of()))),
                row(
                        "a hard constraint with minDomains 0",
                        message().part(33, message().raw(hard.bytes()).number(5, 0)),
                        spread(constraint(1, "zone", Optional.empty(), 0, List.of()))),
                row(
                        "a hard constraint with empty policies, which are not absent",
                        message()
                                .part(
                                        33,
                                        message().raw(hard.bytes()).text(6, "").text(7, "")),
                        spread(new TopologySpreadConstraint(
                                1,
                                "zone",
                                Optional.empty(),
                                1,
                                NodeInclusionPolicy.HONOR,
                                NodeInclusionPolicy.HONOR,
                                List.of()))),
                row(
                        "a hard constraint with all fields, after one that is neither hard nor soft",
                        message()
                                .part(33, message().number(1, 1).text(2, "host").text(3, "Sometimes"))
                                .part(
                                        33,
                                        message()
                                                .number(1, 3)
                                                .text(2, "zone")
                                                .text(3, "DoNotSchedule")
                                                .part(4, message().entry(1, "app", "web"))
                                                .number(5, 2)
                                                .text(6, "Ignore")
                                                .text(7, "Honor")
                                                .text(8, "hash")
                                                .text(8, "tenant")),
                        spread(new TopologySpreadConstraint(
                                3,
                                "zone",
                                WEB,
                                2,
                                NodeInclusionPolicy.IGNORE,
                                NodeInclusionPolicy.HONOR,
                                List.of("hash", "tenant")))));
    }

    private static TopologySpreadConstraint constraint(
            int maxSkew, String key, Optional<LabelSelector> selector, int minDomains, List<String> matchLabelKeys) {
        return new TopologySpreadConstraint(
                maxSkew,
                key,
                selector,
                minDomains,
                NodeInclusionPolicy.HONOR,
                NodeInclusionPolicy.IGNORE,
                matchLabelKeys);
    }

    private static Scheduling spread(TopologySpreadConstraint... constraints) {
        return new Scheduling(Labels.none(), Optional.empty(), List.of(), List.of(), List.of(constraints), List.of());
    }

    static Stream<Arguments> preferences() {
        return Stream.of(
                row(
                        "a preferred node term without content",
                        node(message().part(2, NOTHING)),
                        prefers(new Preferences(
                                List.of(new Weighted<>(0, term(List.of(), List.of()))),
                                List.of(),
                                List.of(),
                                List.of()))),
                row(
                        "preferred node terms, of which one cannot be parsed",
                        node(message()
                                .part(
                                        2,
                                        message()
                                                .number(1, 100)
                                                .part(2, message().part(1, expression("gen", "Gt", "many"))))
                                .part(
                                        2,
                                        message()
                                                .part(2, message().part(2, expression("metadata.name", "In", "n1")))
                                                .number(1, 7))),
                        prefers(new Preferences(
                                List.of(
                                        new Weighted<>(
                                                100,
                                                term(
                                                        List.of(new Requirement("gen", "Gt", List.of("many"))),
                                                        List.of())),
                                        new Weighted<>(
                                                7,
                                                term(
                                                        List.of(),
                                                        List.of(new Requirement(
                                                                "metadata.name", "In", List.of("n1")))))),
                                List.of(),
                                List.of(),
                                List.of()))),
                row(
                        "preferred pod terms of both kinds, one without content",
                        message()
                                .part(
                                        18,
                                        message()
                                                .part(
                                                        2,
                                                        message()
                                                                .part(
                                                                        2,
                                                                        message()
                                                                                .number(1, 30)
                                                                                .part(2, by("a")))
                                                                .part(2, NOTHING))
                                                .part(
                                                        3,
                                                        message()
                                                                .part(
                                                                        2,
                                                                        message()
                                                                                .number(1, 40)
                                                                                .part(2, by("b"))))),
                        prefers(new Preferences(
                                List.of(),
                                List.of(
                                        new Weighted<>(30, web("a")),
                                        new Weighted<>(
                                                0,
                                                new PodAffinityTerm(
                                                        Optional.empty(),
                                                        List.of(),
                                                        Optional.empty(),
                                                        "",
                                                        List.of(),
                                                        List.of()))),
                                List.of(new Weighted<>(40, web("b"))),
                                List.of()))),
                row(
                        "a soft constraint without a selector",
                        message()
                                .part(33, message().number(1, 2).text(2, "zone").text(3, "ScheduleAnyway")),
                        prefers(new Preferences(
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(constraint(2, "zone", Optional.empty(), 1, List.of()))))),
                row(
                        "a hard and a soft constraint",
                        message()
                                .part(33, message().number(1, 1).text(2, "host").text(3, "ScheduleAnyway"))
                                .part(33, message().number(1, 3).text(2, "zone").text(3, "DoNotSchedule")),
                        spread(constraint(3, "zone", Optional.empty(), 1, List.of()))
                                .withPreferences(new Preferences(
                                        List.of(),
                                        List.of(),
                                        List.of(),
                                        List.of(constraint(1, "host", Optional.empty(), 1, List.of()))))));
    }

    private static Scheduling prefers(Preferences preferences) {
        return Scheduling.anywhere().withPreferences(preferences);
    }

    static Stream<Arguments> tolerations() {
        return Stream.of(
                row("an empty toleration", message().part(22, NOTHING), tolerates(tolerates("", "", "", ""))),
                row(
                        "a toleration of every taint",
                        message()
                                .part(
                                        22,
                                        message()
                                                .text(1, "")
                                                .text(2, "Exists")
                                                .text(3, "")
                                                .text(4, "")),
                        tolerates(tolerates("", "Exists", "", ""))),
                row(
                        "several tolerations, with and without seconds",
                        message()
                                .part(
                                        22,
                                        message()
                                                .text(1, "k")
                                                .text(2, "Equal")
                                                .text(3, "v")
                                                .text(4, "NoExecute")
                                                .number(5, 300))
                                .part(22, message().text(1, "l").text(4, "NoSchedule")),
                        tolerates(
                                new Toleration("k", "Equal", "v", "NoExecute", OptionalLong.of(300)),
                                tolerates("l", "", "", "NoSchedule"))));
    }

    private static Toleration tolerates(String key, String operator, String value, String effect) {
        return new Toleration(key, operator, value, effect);
    }

    private static Scheduling tolerates(Toleration... tolerations) {
        return new Scheduling(Labels.none(), Optional.empty(), List.of(), List.of(), List.of(), List.of(tolerations));
    }

    private static Arguments row(String name, Message spec, Scheduling expected) {
        return argumentSet(name, spec, expected);
    }

    @ParameterizedTest
    @MethodSource({"nodeRules", "podRules", "spreads", "preferences", "tolerations"})
    void whereAPodMayRunAndPrefersTo(Message spec, Scheduling expected) throws MalformedException {
        assertThat(read(spec, SchedulingScope.RULES_AND_PREFERENCES)).isEqualTo(expected);
        assertThat(read(spec, SchedulingScope.RULES)).isEqualTo(expected.withPreferences(Preferences.none()));
    }

    private static Scheduling read(Message spec, SchedulingScope scope) throws MalformedException {
        return SchedulingDecoder.read(
                new ByteSlice(spec.bytes()), scope, new StringCache(), _ -> AnnotationRules.none());
    }
}
