package dev.holdfast.policies.evaluate;

import static dev.holdfast.policies.evaluate.Expected.satisfied;
import static dev.holdfast.policies.evaluate.Expected.violated;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.fieldTerm;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.oneOf;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTraits;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeAffinityEvaluatorTest {
    private static final NodeSelectorTerm SSD = nodeTerm(expression("disk", "In", "ssd"));

    static Stream<Arguments> rows() {
        return Stream.of(
                        row(
                                "NS-1: every pair of the nodeSelector is on the node",
                                "ssd",
                                nodeSelectorRule("disk", "ssd"),
                                satisfied()),
                        row(
                                "NS-1: a pair of the nodeSelector has another value",
                                "hdd",
                                nodeSelectorRule("disk", "ssd"),
                                mismatch("disk=ssd", "it has disk=hdd")),
                        row(
                                "NS-2: an empty value of the nodeSelector needs the key",
                                "hdd",
                                nodeSelectorRule("gpu", ""),
                                mismatch("gpu=\"\"", "it has no label gpu")),
                        row(
                                "NS-3: nodeSelector and affinity must both hold",
                                "ssd",
                                new Rule.NodeAffinity(Labels.of("gpu", "a100"), Optional.of(oneOf(SSD))),
                                mismatch("gpu=a100 and disk In [ssd]", "gpu=a100 fails (it has no label gpu)")),
                        row(
                                "NA-1: affinity without a term matches no node",
                                "ssd",
                                nodeRule(),
                                unmatchable("no term", "it has no term")),
                        row(
                                "NA-1: no affinity at all is no constraint",
                                "ssd",
                                new Rule.NodeAffinity(Labels.none(), Optional.empty()),
                                satisfied()),
                        row(
                                "NA-2: one of two terms matches",
                                "ssd",
                                nodeRule(nodeTerm(expression("gpu", "Exists")), SSD),
                                satisfied()),
                        row(
                                "NA-2: none of two terms matches",
                                "hdd",
                                nodeRule(nodeTerm(expression("gpu", "Exists")), SSD),
                                mismatch(
                                        "gpu Exists or disk In [ssd]",
                                        "term 1: gpu Exists fails (it has no label gpu); term 2: disk In [ssd] fails"
                                                + " (it has disk=hdd)")),
                        row(
                                "NA-3: an empty term matches no node",
                                "ssd",
                                nodeRule(nodeTerm()),
                                unmatchable("{}", "an empty term matches no node")),
                        row(
                                "NA-6: a term that cannot be read is a mismatch, never undetermined",
                                "ssd",
                                nodeRule(nodeTerm(expression("disk", "Near", "ssd"))),
                                unmatchable(
                                        "disk Near [ssd]",
                                        "'disk Near [ssd]': `operator` must be In, NotIn, Exists, DoesNotExist, Gt or"
                                                + " Lt")),
                        row(
                                "NA-8: the name of the node is another one",
                                "ssd",
                                nodeRule(fieldTerm(expression("metadata.name", "In", "n2"))),
                                mismatch("metadata.name In [n2]", "its name is n1")),
                        new VerdictRow(
                                "W-6: a cordoned node that is not Ready still matches",
                                cluster()
                                        .node("n1", labels("disk", "ssd"), notReady(), cordoned())
                                        .pod("web-1", on("n1")),
                                "web-1",
                                nodeRule(SSD),
                                satisfied()),
                        new VerdictRow(
                                "X-1: other pods have no effect, not even those that the term would match as labels",
                                cluster()
                                        .node("n1", labels("disk", "hdd"))
                                        .node("n2", labels("disk", "ssd"))
                                        .pod("web-1", on("n1"))
                                        .pod("web-2", on("n2"), labels("disk", "ssd"))
                                        .pod("web-3", on("n1"), labels("disk", "ssd")),
                                "web-1",
                                nodeRule(SSD),
                                mismatch("disk In [ssd]", "it has disk=hdd")),
                        new VerdictRow(
                                "X-6, TT-6: a NoSchedule taint is no rule while a pod runs",
                                tainted("NoSchedule"),
                                "web-1",
                                nodeRule(SSD),
                                satisfied()),
                        new VerdictRow(
                                "X-6, TT-5: a NoExecute taint is left to the taint eviction controller",
                                tainted("NoExecute"),
                                "web-1",
                                nodeRule(SSD),
                                satisfied()),
                        row(
                                "X-1: a label taken from the pod's own node",
                                "",
                                nodeRule(nodeTerm(expression("disk", "In", "ssd", "nvme"))),
                                mismatch("disk In [ssd, nvme]", "it has disk=\"\"")))
                .map(VerdictRow::arguments);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void verdict(VerdictRow row) {
        row.check();
    }

    /** {@return a row with the pod web-1 on node n1, which has the label disk with this value} */
    private static VerdictRow row(String name, String disk, Rule rule, Expected expected) {
        return new VerdictRow(
                name, cluster().node("n1", labels("disk", disk)).pod("web-1", on("n1")), "web-1", rule, expected);
    }

    private static ClusterBuilder tainted(String effect) {
        return cluster()
                .node("n1", labels("disk", "ssd"), NodeTraits.tainted("gpu", "", effect))
                .pod("web-1", on("n1"));
    }

    private static Expected mismatch(String demanded, String found) {
        return violated(new ViolationDetail.NodeMismatch("n1", demanded, found));
    }

    private static Expected unmatchable(String demanded, String why) {
        return violated(new ViolationDetail.UnmatchableRule("n1", demanded, why));
    }
}
