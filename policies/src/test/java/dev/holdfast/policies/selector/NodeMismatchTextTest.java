package dev.holdfast.policies.selector;

import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.fieldTerm;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.oneOf;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Requirement;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeMismatchTextTest {
    private static final String TOO_LARGE = "9223372036854775808";

    static Stream<Arguments> found() {
        return Stream.of(
                found("another value", one("disk", "In", "ssd"), "it has disk=hdd"),
                found("no label", one("gpu", "In", "a100"), "it has no label gpu"),
                found("an empty value is quoted", one("bare", "In", "x"), "it has bare=\"\""),
                found("a value that NotIn lists", one("disk", "NotIn", "hdd"), "it has disk=hdd"),
                found("a label that must not exist", one("disk", "DoesNotExist"), "it has disk=hdd"),
                found("an integer that is not greater", one("cores", "Gt", "8"), "it has cores=8"),
                found(
                        "NA-5: a value that is no integer",
                        one("driver", "Gt", "500"),
                        "it has driver=535.129, which is no integer"),
                found(
                        "NA-5: an empty value is no integer",
                        one("bare", "Lt", "5"),
                        "it has bare=\"\", which is no integer"),
                found(
                        "NA-5: an integer beyond 64 bits",
                        one("huge", "Gt", "1"),
                        "it has huge=" + TOO_LARGE + ", which exceeds 64 bits"),
                found("NA-8: the node's name", fields(expression("metadata.name", "In", "n2")), "its name is n1"),
                found(
                        "of several expressions, only those that fail",
                        term(
                                expression("disk", "In", "ssd"),
                                expression("cores", "Gt", "4"),
                                expression("gpu", "Exists")),
                        "disk In [ssd] fails (it has disk=hdd); gpu Exists fails (it has no label gpu)"),
                found(
                        "of several terms, the first expression that fails in each",
                        of(
                                nodeTerm(expression("cores", "Gt", "4"), expression("disk", "In", "ssd")),
                                nodeTerm(expression("driver", "Gt", "535.5"))),
                        "term 1: disk In [ssd] fails (it has disk=hdd); term 2: driver Gt [535.5] fails (535.5 is no"
                                + " integer)"),
                found(
                        "of five terms, three",
                        of(
                                nodeTerm(expression("a", "Exists")),
                                nodeTerm(),
                                nodeTerm(expression("c", "Exists")),
                                nodeTerm(expression("d", "Exists")),
                                nodeTerm(expression("e", "Exists"))),
                        "term 1: a Exists fails (it has no label a); term 2: {} fails (an empty term matches no node);"
                                + " term 3: c Exists fails (it has no label c); and 2 more"),
                found(
                        "of a nodeSelector, the pair that fails",
                        new NodeMismatchText(Labels.of("cores", "8", "disk", "ssd"), Optional.empty()),
                        "disk=ssd fails (it has disk=hdd)"),
                found(
                        "a nodeSelector that fails beside an affinity that holds",
                        new NodeMismatchText(
                                Labels.of("disk", "ssd"), Optional.of(oneOf(nodeTerm(expression("cores", "Exists"))))),
                        "disk=ssd fails (it has disk=hdd)"));
    }

    private static Arguments found(String name, NodeMismatchText text, String expected) {
        return argumentSet(name, text, expected);
    }

    @ParameterizedTest
    @MethodSource("found")
    void saysWhatTheNodeHas(NodeMismatchText text, String expected) {
        Node node = cluster()
                .node("n1", labels("disk", "hdd", "cores", "8", "driver", "535.129", "bare", "", "huge", TOO_LARGE))
                .build()
                .node("n1")
                .orElseThrow();

        assertThat(text.on(node)).isEqualTo(expected);
    }

    static Stream<Arguments> never() {
        return Stream.of(
                never("NA-6: a bound that is no integer", one("driver", "Gt", "535.5"), "535.5 is no integer"),
                never("NA-6: an empty bound", one("driver", "Lt", ""), "\"\" is no integer"),
                never("NA-6: a bound beyond 64 bits", one("n", "Gt", TOO_LARGE), TOO_LARGE + " exceeds 64 bits"),
                never("NA-6: In without values", one("disk", "In"), "'disk In': `values` must not be empty"),
                never("no label value is below zero", one("n", "Lt", "0"), "no label value satisfies n Lt [0]"),
                never(
                        "no 64-bit integer is greater",
                        one("n", "Gt", "9223372036854775807"),
                        "no label value satisfies n Gt [9223372036854775807]"),
                never(
                        "no integer lies between 3 and 4",
                        term(expression("n", "Gt", "3"), expression("n", "Lt", "4")),
                        "no label value satisfies all of n Gt [3] and n Lt [4]"),
                never(
                        "a value that is demanded and excluded",
                        term(expression("disk", "In", "ssd"), expression("disk", "NotIn", "ssd", "hdd")),
                        "no label value satisfies all of disk In [ssd] and disk NotIn [ssd, hdd]"),
                never(
                        "a label that must exist and must not",
                        term(expression("disk", "Exists"), expression("disk", "DoesNotExist")),
                        "no label value satisfies all of disk Exists and disk DoesNotExist"),
                never(
                        "two names",
                        fields(expression("metadata.name", "In", "n1"), expression("metadata.name", "In", "n2")),
                        "no node name satisfies its matchFields"),
                never(
                        "a nodeSelector against a term",
                        new NodeMismatchText(
                                Labels.of("disk", "hdd"),
                                Optional.of(oneOf(nodeTerm(expression("disk", "In", "ssd"))))),
                        "no label value satisfies all of disk=hdd and disk In [ssd]"),
                never(
                        "a nodeSelector with a value that no label can have",
                        new NodeMismatchText(Labels.of("zone", "us east"), Optional.empty()),
                        "zone=us east is no label that a node can have"),
                never("NA-1: no term", new NodeMismatchText(Labels.none(), Optional.of(oneOf())), "it has no term"),
                never(
                        "each of two terms",
                        of(nodeTerm(), nodeTerm(expression("n", "Gt", "x"))),
                        "term 1: an empty term matches no node; term 2: x is no integer"),
                possible("one of two terms", of(nodeTerm(), nodeTerm(expression("n", "Exists")))),
                possible("3 < 4 < 5", term(expression("n", "Gt", "3"), expression("n", "Lt", "5"))),
                possible("zero", one("n", "Lt", "1")),
                possible("absent", term(expression("n", "NotIn", "a"), expression("n", "DoesNotExist"))),
                possible("any other value", term(expression("n", "Exists"), expression("n", "NotIn", "a"))),
                possible("one of two values", term(expression("n", "In", "a", "b"), expression("n", "NotIn", "a"))),
                possible("any other name", fields(expression("metadata.name", "NotIn", "n1"))),
                possible("no rule", new NodeMismatchText(Labels.none(), Optional.empty())));
    }

    private static Arguments never(String name, NodeMismatchText text, String expected) {
        return argumentSet(name, text, Optional.of(expected));
    }

    private static Arguments possible(String name, NodeMismatchText text) {
        return argumentSet("possible: " + name, text, Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("never")
    void saysWhyNoNodeCanMatch(NodeMismatchText text, Optional<String> expected) {
        assertThat(text.never()).isEqualTo(expected);
    }

    private static NodeMismatchText one(String key, String operator, String... values) {
        return term(expression(key, operator, values));
    }

    private static NodeMismatchText term(Requirement... expressions) {
        return of(nodeTerm(expressions));
    }

    private static NodeMismatchText fields(Requirement... fields) {
        return of(fieldTerm(fields));
    }

    private static NodeMismatchText of(NodeSelectorTerm... terms) {
        NodeSelector affinity = oneOf(terms);
        return new NodeMismatchText(Labels.none(), Optional.of(affinity));
    }
}
