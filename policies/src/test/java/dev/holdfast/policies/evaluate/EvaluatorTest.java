package dev.holdfast.policies.evaluate;

import static dev.holdfast.policies.evaluate.Expected.undetermined;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Undetermined verdicts that do not depend on the kind of rule. */
class EvaluatorTest {
    static Stream<Arguments> rows() {
        return Stream.of(
                        undeterminedForAll(
                                "X-0: a pod that waits for a node", Reason.NOT_BOUND, "the pod waits for a node"),
                        undeterminedForAll(
                                "X-0: a pod that succeeded",
                                Reason.FINISHED,
                                "the pod's phase is Succeeded",
                                on("n1"),
                                phase(Phase.SUCCEEDED)),
                        undeterminedForAll(
                                "X-0: a pod that failed",
                                Reason.FINISHED,
                                "the pod's phase is Failed",
                                on("n1"),
                                phase(Phase.FAILED)),
                        undeterminedForAll(
                                "X-0: a terminating pod",
                                Reason.TERMINATING,
                                "the pod is being deleted",
                                on("n1"),
                                terminating()),
                        undeterminedForAll(
                                "X-0: a pod on a node that does not exist",
                                Reason.NODE_MISSING,
                                "no node n9",
                                on("n9")),
                        undeterminedForAll(
                                "X-0: of several reasons the one that will not pass comes first",
                                Reason.FINISHED,
                                "the pod's phase is Failed",
                                on("n9"),
                                phase(Phase.FAILED),
                                terminating()))
                .flatMap(List::stream)
                .map(VerdictRow::arguments);
    }

    /** {@return one row for each kind of rule; every rule would be violated on n1 if it were evaluated} */
    private static List<VerdictRow> undeterminedForAll(String name, Reason reason, String detail, PodTrait... traits) {
        return Stream.of(
                        nodeRule(),
                        affinityRule(term(app("cache"), ZONE)),
                        antiAffinityRule(term(app("batch"), ZONE)),
                        spreadRule(maxSkew(1, ZONE, app("batch"))))
                .map(rule -> new VerdictRow(
                        name + ": " + rule.kind().label(),
                        crowded().pod("web-1", traits),
                        "web-1",
                        rule,
                        undetermined(reason, detail)))
                .toList();
    }

    private static ClusterBuilder crowded() {
        return cluster()
                .node("n1", zone("a"))
                .node("n2", zone("b"))
                .pod("batch-1", on("n1"), labels("app", "batch"))
                .pod("batch-2", on("n1"), labels("app", "batch"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void verdict(VerdictRow row) {
        row.check();
    }

    @Test
    void onANodeThatExistsTheSameRulesHaveAnAnswer() {
        ReferenceCluster referenceCluster = crowded().pod("web-1", on("n1")).build();
        Pod pod = referenceCluster.pod("web-1").orElseThrow();
        assertThat(Stream.of(
                                nodeRule(),
                                affinityRule(term(app("cache"), ZONE)),
                                antiAffinityRule(term(app("batch"), ZONE)),
                                spreadRule(maxSkew(1, ZONE, app("batch"))))
                        .map(rule -> Evaluator.judge(rule, pod, referenceCluster)))
                .allMatch(Verdict.Violated.class::isInstance);
    }
}
