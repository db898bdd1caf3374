package dev.holdfast.policies.score;

import static dev.holdfast.policies.score.Choices.check;
import static dev.holdfast.policies.score.Choices.choice;
import static dev.holdfast.policies.score.Choices.failed;
import static dev.holdfast.policies.score.Choices.numbers;
import static dev.holdfast.policies.score.Choices.row;
import static dev.holdfast.policies.score.Choices.scored;
import static dev.holdfast.policies.score.Choices.skipped;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.fieldTerm;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.tolerating;
import static dev.holdfast.policies.testing.PodTraits.toleratingAny;
import static dev.holdfast.policies.testing.PreferenceTraits.preferring;

import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The plugins that look at the nodes alone: NodeAffinity and TaintToleration. */
class NodeScoresTest {
    private static final NodeSelectorTerm SSD = nodeTerm(expression("disk", "In", "ssd"));
    private static final NodeSelectorTerm ARM = nodeTerm(expression("arch", "In", "arm64"));
    private static final NodeSelectorTerm UNUSABLE = nodeTerm(expression("gen", "Gt", "many"));
    private static final String NOT_AN_INTEGER = "'gen Gt [many]': `values` must be exactly one 64-bit integer";

    static Stream<Arguments> preferredTerms() {
        return Stream.of(
                row("SC-NA-1: no preferred term", disks(), skipped()),
                row(
                        "SC-NA-1: an empty term is a preferred term too",
                        disks(preferring(5, nodeTerm())),
                        scored(numbers(0, 0, 0), numbers(0, 0, 0))),
                row(
                        "SC-NA-2: the weights of the matching terms are summed up",
                        disks(preferring(29, SSD), preferring(11, ARM)),
                        scored(numbers(40, 29, 0), numbers(100, 72, 0))),
                row(
                        "SC-NA-3: a term of weight 0 matches nothing, and is not parsed",
                        disks(preferring(0, UNUSABLE), preferring(0, ARM), preferring(7, SSD)),
                        scored(numbers(7, 7, 0), numbers(100, 100, 0))),
                row(
                        "SC-NA-3: an empty term matches nothing",
                        disks(preferring(50, nodeTerm()), preferring(7, SSD)),
                        scored(numbers(7, 7, 0), numbers(100, 100, 0))),
                row(
                        "SC-NA-4: all expressions of a term must match",
                        disks(preferring(
                                5, nodeTerm(expression("disk", "In", "ssd"), expression("arch", "In", "arm64")))),
                        scored(numbers(5, 0, 0), numbers(100, 0, 0))),
                row(
                        "SC-NA-4: an absent key satisfies NotIn",
                        disks(preferring(5, nodeTerm(expression("arch", "NotIn", "arm64")))),
                        scored(numbers(0, 5, 5), numbers(0, 100, 100))),
                row(
                        "SC-NA-4: a name of a node",
                        disks(preferring(5, fieldTerm(expression("metadata.name", "In", "n2")))),
                        scored(numbers(0, 5, 0), numbers(0, 100, 0))),
                row(
                        "SC-NA-4: nodeSelector and required terms give no points",
                        disks(nodeSelector("disk", "ssd"), nodeAffinity(ARM), preferring(5, SSD)),
                        scored(numbers(5, 5, 0), numbers(100, 100, 0))),
                row(
                        "SC-NA-5: a number that cannot be parsed fails the pod, whatever the other terms say",
                        disks(preferring(5, SSD), preferring(1, UNUSABLE)),
                        failed("gen Gt [many]", NOT_AN_INTEGER)),
                row(
                        "SC-NA-5: a value that no label can have",
                        disks(preferring(5, nodeTerm(expression("disk", "In", "a b")))),
                        failed("disk In [a b]", "'disk In [a b]': 'a b' must be a label value")),
                row(
                        "SC-NA-5: a negative number is no label value",
                        disks(preferring(5, nodeTerm(expression("gen", "Lt", "-5")))),
                        failed("gen Lt [-5]", "'gen Lt [-5]': '-5' must be a label value")),
                row(
                        "SC-NA-5: the value of a field has any form",
                        disks(preferring(5, fieldTerm(expression("metadata.name", "NotIn", "a b")))),
                        scored(numbers(5, 5, 5), numbers(100, 100, 100))),
                row(
                        "SC-NA-5: a field needs one value",
                        disks(preferring(5, fieldTerm(expression("metadata.name", "In", "n1", "n2")))),
                        failed(
                                "metadata.name In [n1, n2]",
                                "'metadata.name In [n1, n2]' must be In or NotIn with one value")),
                row(
                        "SC-NA-6: all 0 if no term matches anywhere",
                        disks(preferring(5, nodeTerm(expression("disk", "In", "nvme")))),
                        scored(numbers(0, 0, 0), numbers(0, 0, 0))),
                row(
                        "SC-NA-6: the least is not subtracted",
                        disks(preferring(5, nodeTerm(expression("gpu", "DoesNotExist")))),
                        scored(numbers(5, 5, 5), numbers(100, 100, 100))),
                row(
                        "SC-ALL-5: a term of weight 1 alone makes the same difference as one of 100",
                        disks(preferring(1, SSD)),
                        scored(numbers(1, 1, 0), numbers(100, 100, 0))));
    }

    @ParameterizedTest
    @MethodSource("preferredTerms")
    void nodeAffinityScoresByPreferredTerms(Choice choice, PluginResult expected) {
        check(NodeAffinityScore::of, choice, expected);
    }

    private static Choice disks(PodTrait... traits) {
        return choice(cluster()
                .node("n1", labels("disk", "ssd", "arch", "arm64"))
                .node("n2", labels("disk", "ssd"))
                .node("n3", labels("disk", "hdd"))
                .pod("p", traits));
    }

    static Stream<Arguments> softTaints() {
        return Stream.of(
                row("SC-TT-1: no taint and no toleration", taints(), scored(numbers(0, 0, 0), numbers(100, 100, 100))),
                row(
                        "SC-TT-2: each taint that is not tolerated counts",
                        choice(spots().pod("p")),
                        scored(numbers(0, 1, 3), numbers(100, 67, 0))),
                row(
                        "SC-TT-2: a toleration of the effect PreferNoSchedule helps",
                        choice(spots().pod("p", tolerating("spot", "a", "PreferNoSchedule"))),
                        scored(numbers(0, 0, 2), numbers(100, 100, 0))),
                row(
                        "SC-TT-2: a toleration of any effect helps",
                        choice(spots().pod("p", toleratingAny("spot", ""))),
                        scored(numbers(0, 0, 1), numbers(100, 100, 0))),
                row(
                        "SC-TT-2: a toleration of another effect does not help",
                        choice(spots().pod("p", toleratingAny("spot", "NoSchedule"))),
                        scored(numbers(0, 1, 3), numbers(100, 67, 0))),
                row(
                        "SC-TT-3: other effects and cordon give no points",
                        taints(tainted("gpu", "", "NoSchedule"), tainted("gpu", "", "NoExecute"), cordoned()),
                        scored(numbers(0, 0, 0), numbers(100, 100, 100))),
                row(
                        "SC-TT-4: the share is truncated, and then subtracted",
                        choice(spots().pod("p"), "n2", "n3"),
                        scored(numbers(1, 3), numbers(67, 0))),
                row(
                        "SC-ALL-2: only feasible nodes set the greatest value",
                        choice(spots().pod("p"), "n1", "n2"),
                        scored(numbers(0, 1), numbers(100, 0))));
    }

    @ParameterizedTest
    @MethodSource("softTaints")
    void taintTolerationScoresByTaintsThatPreferNoSchedule(Choice choice, PluginResult expected) {
        check(TaintTolerationScore::of, choice, expected);
    }

    private static Choice taints(NodeTrait... ofThird) {
        return choice(cluster().node("n1").node("n2").node("n3", ofThird).pod("p"));
    }

    private static ClusterBuilder spots() {
        return cluster()
                .node("n1")
                .node("n2", tainted("spot", "a", "PreferNoSchedule"))
                .node(
                        "n3",
                        tainted("spot", "a", "PreferNoSchedule"),
                        tainted("spot", "b", "PreferNoSchedule"),
                        tainted("old", "", "PreferNoSchedule"));
    }
}
