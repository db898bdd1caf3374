package dev.holdfast.policies.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.testing.PolicyDraft;
import java.io.IOException;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares verdicts and placement with those of the real kube-scheduler, case by case. It reads every {@code
 * *.jsonl.gz} in the directory given by {@code -Dholdfast.vectors}, by default the copies in the test resources.
 */
class VectorsTest {
    private static final int SHOWN = 10;

    /** A policy that audits the rules in the spec of every pod. */
    private static final Policy AUDIT = PolicyDraft.of(PolicyId.cluster("audit"), Mode.AUDIT)
            .pods(everything())
            .podRules(Stream.of(RuleKind.values())
                    .collect(Collectors.toMap(
                            kind -> kind,
                            _ -> new Enforcement(Mode.AUDIT, Duration.ofMinutes(5), WhenInfeasible.WAIT))))
            .policy();

    private static LabelMatcher everything() {
        return ((ParseResult.Usable<LabelMatcher>) LabelMatcher.of(Optional.of(LabelSelector.everything()))).value();
    }

    private final List<String> differences = new ArrayList<>();
    private int cases;
    private int pods;

    @Test
    void everyVerdictAndEveryFittingNodeIsTheSchedulers() throws IOException, URISyntaxException {
        VectorFiles.read("vectors", vector -> judge(VectorCase.of(vector)));
        System.out.printf("%d cases, %d pods, %d differences%n", cases, pods, differences.size());
        assertThat(pods).as("pods judged").isPositive();
        assertThat(differences.stream().limit(SHOWN))
                .as("the first %d of %d differences", SHOWN, differences.size())
                .isEmpty();
    }

    private void judge(VectorCase vector) {
        cases++;
        ReferenceCluster referenceCluster = new ReferenceCluster();
        List<ClusterEvent> shuffled = VectorFiles.shuffled(vector.facts(), vector.id());
        shuffled.forEach(referenceCluster::apply);
        Index index = indexed(shuffled);
        assertThat(VectorFiles.judged(referenceCluster))
                .as("the pods judged in %s", vector.id())
                .isEqualTo(
                        vector.expected().stream().map(VectorCase.Expected::pod).toList());
        for (VectorCase.Expected expected : vector.expected()) {
            pods++;
            Pod pod = referenceCluster.pod(expected.pod()).orElseThrow();
            String where = vector.id() + " pod " + expected.pod() + " ";
            compare(
                    where,
                    "nodeAffinity",
                    "NS-*, NA-*",
                    expected.nodeAffinity(),
                    kind(RuleKind.NODE_AFFINITY, pod, referenceCluster));
            compare(
                    where,
                    "podAffinity",
                    "AF-*",
                    expected.podAffinity(),
                    kind(RuleKind.POD_AFFINITY, pod, referenceCluster));
            compare(
                    where,
                    "podAntiAffinity",
                    "AA-*",
                    expected.podAntiAffinity(),
                    kind(RuleKind.POD_ANTI_AFFINITY, pod, referenceCluster));
            compare(
                    where,
                    "topologySpread",
                    "TS-*",
                    expected.topologySpread(),
                    kind(RuleKind.TOPOLOGY_SPREAD, pod, referenceCluster));
            compare(
                    where,
                    "index",
                    "X-*",
                    expected.violated().toString(),
                    violated(pod.uid(), index).toString());
            compare(
                    where,
                    "fits",
                    "P-6",
                    expected.fits().toString(),
                    Placement.fits(pod, List.of(), referenceCluster).stream()
                            .map(Node::name)
                            .sorted()
                            .toList()
                            .toString());
        }
    }

    /** {@return an index after these events; the policy is added after half of them} */
    private static Index indexed(List<ClusterEvent> facts) {
        Index index = new Index(Set.of(), VerdictListener.NONE);
        int half = facts.size() / 2;
        facts.subList(0, half).forEach(index::apply);
        index.put(AUDIT);
        facts.subList(half, facts.size()).forEach(index::apply);
        return index;
    }

    private static Set<RuleKind> violated(String pod, Index index) {
        Set<RuleKind> violated = EnumSet.noneOf(RuleKind.class);
        for (AppliedRule rule : index.rulesOf(pod)) {
            if (index.isBroken(pod, rule.identity())) {
                violated.add(rule.rule().kind());
            }
        }
        return violated;
    }

    private static String kind(RuleKind kind, Pod pod, ClusterView view) {
        List<String> verdicts = PodRules.of(pod.scheduling()).stream()
                .filter(rule -> rule.kind() == kind)
                .map(rule -> name(Evaluator.judge(rule, pod, view)))
                .toList();
        if (verdicts.isEmpty()) {
            return "None";
        }
        return verdicts.stream()
                .filter(verdict -> !verdict.equals("Satisfied"))
                .findFirst()
                .orElse("Satisfied");
    }

    private static String name(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Satisfied _ -> "Satisfied";
            case Verdict.Violated _ -> "Violated";
            case Verdict.Undetermined(var reason, var detail) -> "Undetermined " + reason + " " + detail;
        };
    }

    private void compare(String where, String what, String semantics, String expected, String actual) {
        if (!expected.equals(actual)) {
            differences.add(where + what + " (" + semantics + "): scheduler " + expected + ", ours " + actual);
        }
    }
}
