package dev.holdfast.policies.selector;

import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.fieldTerm;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.oneOf;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.node;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.testing.NodeTrait;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeMatcherTest {
    record Row(String name, Labels nodeSelector, Optional<NodeSelector> affinity, Node node, boolean expected) {
        Arguments arguments() {
            return argumentSet(name, this);
        }
    }

    static Stream<Arguments> nodeSelectors() {
        return Stream.of(
                        pairs("NS-1: no pair matches every node", Labels.none(), node("n1"), true),
                        pairs("NS-1: all pairs are there", fastInA(), node("n1", zone("a"), disk("ssd")), true),
                        pairs("NS-1: one pair of two is missing", fastInA(), node("n1", disk("ssd")), false),
                        pairs(
                                "NS-1: one pair of two has another value",
                                fastInA(),
                                node("n1", zone("b"), disk("ssd")),
                                false),
                        pairs(
                                "NS-1: the value must be exactly the same",
                                Labels.of("disk", "SSD"),
                                node("n1", disk("ssd")),
                                false),
                        pairs(
                                "NS-2: an empty value matches the key with an empty value",
                                Labels.of("disk", ""),
                                node("n1", disk("")),
                                true),
                        pairs(
                                "NS-2: an empty value does not match an absent key",
                                Labels.of("disk", ""),
                                node("n1"),
                                false),
                        pairs(
                                "NS-2: an empty value does not match another value",
                                Labels.of("disk", ""),
                                node("n1", disk("ssd")),
                                false),
                        both("NS-3: nodeSelector and affinity both hold", "a", "ssd", true),
                        both("NS-3: the nodeSelector alone is not enough", "a", "hdd", false),
                        both("NS-3: the affinity alone is not enough", "b", "ssd", false),
                        pairs(
                                "NS-3: a key that can be no label just does not match",
                                Labels.of("no key", "x"),
                                node("n1", disk("ssd")),
                                false))
                .map(Row::arguments);
    }

    static Stream<Arguments> terms() {
        return Stream.of(
                        new Row(
                                "NA-1: no affinity matches every node",
                                Labels.none(),
                                Optional.empty(),
                                node("n1"),
                                true),
                        row("NA-1: affinity without terms matches no node", oneOf(), node("n1", disk("ssd")), false),
                        row(
                                "NA-2: terms are ORed: the second matches",
                                oneOf(disks("hdd"), disks("ssd")),
                                node("n1", disk("ssd")),
                                true),
                        row(
                                "NA-2: terms are ORed: none matches",
                                oneOf(disks("hdd"), disks("ssd")),
                                node("n1", disk("nvme")),
                                false),
                        row(
                                "NA-2: expressions of one term are ANDed: one of two holds",
                                oneOf(nodeTerm(expression("disk", "In", "ssd"), expression("gpu", "Exists"))),
                                node("n1", disk("ssd")),
                                false),
                        row(
                                "NA-2: expressions of one term are ANDed: both hold",
                                oneOf(nodeTerm(expression("disk", "In", "ssd"), expression("gpu", "Exists"))),
                                node("n1", disk("ssd"), labels("gpu", "")),
                                true),
                        row(
                                "NA-2: expressions and fields of one term are ANDed: the field fails",
                                oneOf(ssdNamed("n2")),
                                node("n1", disk("ssd")),
                                false),
                        row(
                                "NA-2: expressions and fields of one term are ANDed: the expression fails",
                                oneOf(ssdNamed("n1")),
                                node("n1", disk("hdd")),
                                false),
                        row(
                                "NA-2: expressions and fields of one term hold together",
                                oneOf(ssdNamed("n1")),
                                node("n1", disk("ssd")),
                                true),
                        row(
                                "NA-3: an empty term alone matches no node",
                                oneOf(nodeTerm()),
                                node("n1", disk("ssd")),
                                false),
                        row(
                                "NA-3: an empty term has no effect on a valid one",
                                oneOf(nodeTerm(), disks("ssd")),
                                node("n1", disk("ssd")),
                                true),
                        row(
                                "NA-3: an empty term does not help one that fails",
                                oneOf(nodeTerm(), disks("ssd")),
                                node("n1", disk("hdd")),
                                false))
                .map(Row::arguments);
    }

    static Stream<Arguments> operators() {
        return Stream.of(
                        cores("NA-4: In matches a listed value", "In", "4", true, "2", "4"),
                        cores("NA-4: In does not match another value", "In", "8", false, "2", "4"),
                        absent("NA-4: In does not match an absent key", "In", false, "4"),
                        cores("NA-4: NotIn matches another value", "NotIn", "8", true, "2", "4"),
                        cores("NA-4: NotIn does not match a listed value", "NotIn", "4", false, "2", "4"),
                        absent("NA-4: NotIn matches an absent key", "NotIn", true, "4"),
                        cores("NA-4: Exists matches any value", "Exists", "4", true),
                        cores("NA-4: Exists matches an empty value", "Exists", "", true),
                        absent("NA-4: Exists does not match an absent key", "Exists", false),
                        cores("NA-4: DoesNotExist does not match a value", "DoesNotExist", "4", false),
                        cores("NA-4: DoesNotExist does not match an empty value", "DoesNotExist", "", false),
                        absent("NA-4: DoesNotExist matches an absent key", "DoesNotExist", true),
                        cores("NA-5: Gt: 5 > 4", "Gt", "5", true, "4"),
                        cores("NA-5: Gt is strict: 4 > 4 is false", "Gt", "4", false, "4"),
                        cores("NA-5: Gt compares numbers, not text: 10 > 9", "Gt", "10", true, "9"),
                        cores("NA-5: Lt: 3 < 4", "Lt", "3", true, "4"),
                        cores("NA-5: Lt is strict: 4 < 4 is false", "Lt", "4", false, "4"),
                        cores("NA-5: Lt compares numbers, not text: 9 < 10", "Lt", "9", true, "10"),
                        absent("NA-5: Gt does not match an absent key", "Gt", false, "4"),
                        absent("NA-5: Lt does not match an absent key", "Lt", false, "4"),
                        cores("NA-5: Gt does not match a value that is no number", "Gt", "many", false, "4"),
                        cores("NA-5: Lt does not match an empty value", "Lt", "", false, "4"),
                        cores("NA-5: leading zeros of the node's value are ignored: 007 > 6", "Gt", "007", true, "6"),
                        cores(
                                "NA-5: leading zeros of the node's value are ignored: 007 > 7 is false",
                                "Gt",
                                "007",
                                false,
                                "7"),
                        cores("NA-5: a value beyond 64 bits is no number", "Gt", "9223372036854775808", false, "4"))
                .map(Row::arguments);
    }

    static Stream<Arguments> unusableTerms() {
        return Stream.of(
                        unusable("NA-6: an unknown operator", nodeTerm(expression("disk", "Near", "ssd"))),
                        unusable("NA-6: an operator in lower case", nodeTerm(expression("disk", "in", "ssd"))),
                        unusable("NA-6: In without values", nodeTerm(expression("disk", "In"))),
                        unusable("NA-6: NotIn without values", nodeTerm(expression("gpu", "NotIn"))),
                        unusable("NA-6: Exists with a value", nodeTerm(expression("disk", "Exists", "ssd"))),
                        unusable("NA-6: DoesNotExist with a value", nodeTerm(expression("gpu", "DoesNotExist", "a"))),
                        unusable("NA-6: Gt without a value", nodeTerm(expression("cores", "Gt"))),
                        unusable("NA-6: Gt with two values", nodeTerm(expression("cores", "Gt", "1", "2"))),
                        unusable("NA-6: Lt with two values", nodeTerm(expression("cores", "Lt", "90", "80"))),
                        unusable("NA-6: a key that is no label key", nodeTerm(expression("no key", "DoesNotExist"))),
                        unusable(
                                "NA-6: a value that is no label value",
                                nodeTerm(expression("disk", "In", "ssd", "a b"))),
                        unusable(
                                "NA-6: a negative number is no label value", nodeTerm(expression("cores", "Gt", "-5"))),
                        unusable(
                                "NA-6: one bad expression invalidates the valid ones of its term",
                                nodeTerm(expression("disk", "In", "ssd"), expression("cores", "Gt"))),
                        unusable(
                                "NA-7: Gt of no number, which the API server lets in",
                                nodeTerm(expression("cores", "Gt", "many"))),
                        unusable(
                                "NA-7: Gt of a fraction, which the API server lets in",
                                nodeTerm(expression("cores", "Gt", "7.5"))),
                        unusable(
                                "NA-7: Gt of nothing, which the API server lets in",
                                nodeTerm(expression("cores", "Gt", ""))),
                        unusable(
                                "NA-7: Lt beyond 64 bits, which the API server lets in",
                                nodeTerm(expression("cores", "Lt", "9223372036854775808"))),
                        unusable(
                                "NA-8: a field with two values",
                                fieldTerm(expression("metadata.name", "In", "n1", "n2"))),
                        unusable("NA-8: a field without a value", fieldTerm(expression("metadata.name", "NotIn"))),
                        unusable("NA-8: Exists over a field", fieldTerm(expression("metadata.name", "Exists"))),
                        unusable(
                                "NA-8: one bad field invalidates the valid expressions of its term",
                                new NodeSelectorTerm(
                                        List.of(expression("disk", "In", "ssd")),
                                        List.of(expression("metadata.name", "Gt", "1")))))
                .flatMap(List::stream)
                .map(Row::arguments);
    }

    static Stream<Arguments> fields() {
        return Stream.of(
                        field("NA-8: In the node's name", "n1", true, expression("metadata.name", "In", "n1")),
                        field("NA-8: In another name", "n1", false, expression("metadata.name", "In", "n2")),
                        field("NA-8: names are compared exactly", "n1", false, expression("metadata.name", "In", "N1")),
                        field("NA-8: NotIn another name", "n1", true, expression("metadata.name", "NotIn", "n2")),
                        field("NA-8: NotIn the node's name", "n1", false, expression("metadata.name", "NotIn", "n1")),
                        field(
                                "NA-8: fields are ANDed, so two names match no node",
                                "n1",
                                false,
                                expression("metadata.name", "In", "n1"),
                                expression("metadata.name", "In", "n2")),
                        row(
                                "NA-8: two terms of one name each are alternatives",
                                oneOf(named("n2"), named("n1")),
                                node("n1"),
                                true),
                        field(
                                "NA-9: In over another field is never true",
                                "n1",
                                false,
                                expression("metadata.uid", "In", "n1")),
                        field(
                                "NA-9: NotIn over another field is always true",
                                "n1",
                                true,
                                expression("metadata.uid", "NotIn", "n1")),
                        field(
                                "NA-10: a node without a name skips the fields",
                                "",
                                true,
                                expression("metadata.name", "In", "n1")),
                        row(
                                "NA-10: a node without a name does not skip the expressions",
                                oneOf(ssdNamed("n1")),
                                node("", disk("hdd")),
                                false))
                .map(Row::arguments);
    }

    @ParameterizedTest
    @MethodSource({"nodeSelectors", "terms", "operators", "unusableTerms", "fields"})
    void matches(Row row) {
        assertThat(NodeMatcher.of(row.nodeSelector(), row.affinity()).matches(row.node()))
                .as(row.name())
                .isEqualTo(row.expected());
    }

    private static Row row(String name, NodeSelector affinity, Node node, boolean expected) {
        return new Row(name, Labels.none(), Optional.of(affinity), node, expected);
    }

    private static Row pairs(String name, Labels nodeSelector, Node node, boolean expected) {
        return new Row(name, nodeSelector, Optional.empty(), node, expected);
    }

    /** {@return a row with a rule that requires zone a and disk ssd, for a node with the given zone and disk} */
    private static Row both(String name, String zone, String disk, boolean expected) {
        return new Row(
                name,
                Labels.of(ZONE, "a"),
                Optional.of(oneOf(disks("ssd"))),
                node("n1", zone(zone), disk(disk)),
                expected);
    }

    private static Row cores(String name, String operator, String actual, boolean expected, String... values) {
        return row(
                name,
                oneOf(nodeTerm(expression("cores", operator, values))),
                node("n1", labels("cores", actual)),
                expected);
    }

    private static Row absent(String name, String operator, boolean expected, String... values) {
        return row(name, oneOf(nodeTerm(expression("cores", operator, values))), node("n1", disk("ssd")), expected);
    }

    private static Row field(String name, String node, boolean expected, Requirement... fields) {
        return row(name, oneOf(fieldTerm(fields)), node(node), expected);
    }

    /** {@return two rows: the term alone matches no node, and the term has no effect beside a valid term} */
    private static List<Row> unusable(String name, NodeSelectorTerm term) {
        Node node = node("n1", disk("ssd"), labels("cores", "50"));
        return List.of(
                row(name + " matches no node", oneOf(term), node, false),
                row(name + " leaves a good term alone", oneOf(term, disks("ssd")), node, true));
    }

    private static Labels fastInA() {
        return Labels.of(ZONE, "a", "disk", "ssd");
    }

    private static NodeTrait disk(String disk) {
        return labels("disk", disk);
    }

    private static NodeSelectorTerm disks(String disk) {
        return nodeTerm(expression("disk", "In", disk));
    }

    private static NodeSelectorTerm named(String name) {
        return fieldTerm(expression("metadata.name", "In", name));
    }

    private static NodeSelectorTerm ssdNamed(String name) {
        return new NodeSelectorTerm(
                List.of(expression("disk", "In", "ssd")), List.of(expression("metadata.name", "In", name)));
    }
}
