package dev.holdfast.operator.check;

import dev.holdfast.operator.publish.Wording;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A cluster at one moment, in the index that the operator uses, and the policies that ask for rules. */
public final class CheckedCluster {
    /** If no policy is given, each pod is held to the rules of its own spec. */
    private static final Policy OWN_RULES = new Policy(
            PolicyId.cluster(""),
            0,
            Mode.AUDIT,
            everything(),
            Optional.empty(),
            Optional.empty(),
            Arrays.stream(RuleKind.values()).collect(Collectors.toMap(kind -> kind, _ -> audited())),
            List.of());

    private static final String NAMESPACE_MISSING = "NamespaceMissing";

    private final Index index;
    private final List<Pod> pods = new ArrayList<>();
    private int nodes;
    private final Map<String, String> leftOut;
    private final Optional<String> missingNamespace;

    /**
     * Reads a cluster.
     *
     * @param objects the objects of the cluster; fastest if namespaces and nodes come before pods
     * @param policies the policies that ask for rules; if there is none, each pod is held to the rules of its own spec
     * @param exemptNamespaces anti-affinity does not count pods in these namespaces
     */
    public CheckedCluster(Collection<ClusterEvent> objects, Collection<Policy> policies, Set<String> exemptNamespaces) {
        index = new Index(exemptNamespaces, VerdictListener.NONE);
        objects.forEach(this::see);
        (policies.isEmpty() ? List.of(OWN_RULES) : policies).forEach(index::put);
        leftOut = index.takeLeftOut().stream()
                .collect(Collectors.toMap(
                        rule -> rule.identity().hash(),
                        rule -> "the rules of namespace " + rule.pod().namespace() + " take too much memory",
                        (one, _) -> one));
        missingNamespace = pods.stream()
                .map(Pod::namespace)
                .distinct()
                .filter(namespace -> index.view().namespace(namespace).isEmpty())
                .sorted()
                .findFirst();
    }

    private static LabelMatcher everything() {
        return switch (LabelMatcher.of(Optional.of(LabelSelector.everything()))) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case ParseResult.Unusable<LabelMatcher>(String why) -> throw new IllegalStateException(why);
        };
    }

    private static Enforcement audited() {
        return new Enforcement(Mode.AUDIT, Duration.ZERO, WhenInfeasible.WAIT, WhenDomainAdded.HOLD);
    }

    private void see(ClusterEvent event) {
        index.apply(event);
        switch (event) {
            case ClusterEvent.PodChanged(Pod pod) -> pods.add(pod);
            case ClusterEvent.NodeChanged _ -> nodes++;
            case ClusterEvent.PodGone _,
                    ClusterEvent.NodeGone _,
                    ClusterEvent.OfNamespace _,
                    ClusterEvent.OfOwner _,
                    ClusterEvent.OfBudget _,
                    ClusterEvent.OfCapacity _ -> {}
        }
    }

    /**
     * {@return the violations}
     *
     * @param listed which pods are listed; their rules may depend on others
     */
    public CheckReport report(Predicate<Pod> listed) {
        List<CheckReport.Violation> violations = new ArrayList<>();
        index.forEachBroken((pod, applied) -> {
            if (listed.test(pod) && whyUnknown(pod, applied).isEmpty()) {
                violations.add(violation(pod, applied));
            }
        });
        violations.sort(CheckReport.OfPod.ORDER);
        return new CheckReport(
                CheckReport.API_VERSION,
                CheckReport.KIND,
                new CheckReport.Summary(pods.size(), nodes, violations.size()),
                violations,
                undetermined(listed));
    }

    private CheckReport.Violation violation(Pod pod, AppliedRule applied) {
        ViolationDetail detail =
                index.violationDetail(pod.uid(), applied.identity()).orElseThrow();
        return new CheckReport.Violation(
                pod.namespace(),
                pod.name().name(),
                pod.uid(),
                pod.nodeName().orElseThrow(),
                reference(applied),
                CheckReport.Violation.VERDICT,
                detail.describe(),
                Wording.healing(detail),
                isCheckedByKubelet(pod, applied),
                policies(applied));
    }

    private static List<String> policies(AppliedRule applied) {
        return applied.policies()
                .filter(policy -> !policy.equals(OWN_RULES.id()))
                .map(PolicyId::toString)
                .toList();
    }

    /** The kubelet checks the node rules of the pods that run on its node when it starts. */
    private static boolean isCheckedByKubelet(Pod pod, AppliedRule applied) {
        return applied.rule().kind() == RuleKind.NODE_AFFINITY && isOfSpec(pod, applied.rule());
    }

    private static boolean isOfSpec(Pod pod, Rule rule) {
        return PodRules.of(pod.scheduling()).stream()
                .anyMatch(own -> own.identity().equals(rule.identity()));
    }

    private static CheckReport.RuleReference reference(AppliedRule applied) {
        return new CheckReport.RuleReference(
                applied.rule().kind().label(),
                applied.requests().getFirst().name(),
                applied.identity().hash());
    }

    private List<CheckReport.Undetermined> undetermined(Predicate<Pod> listed) {
        return pods.stream()
                .filter(pod -> pod.nodeName().isPresent() && !pod.finished() && !pod.terminating())
                .filter(listed)
                .flatMap(pod -> index.rulesOf(pod.uid()).stream()
                        .flatMap(applied ->
                                whyUnknown(pod, applied).stream().map(unknown -> undetermined(pod, applied, unknown))))
                .sorted(CheckReport.OfPod.ORDER)
                .toList();
    }

    private static CheckReport.Undetermined undetermined(Pod pod, AppliedRule applied, Unknown unknown) {
        return new CheckReport.Undetermined(
                pod.namespace(),
                pod.name().name(),
                pod.uid(),
                pod.nodeName().orElseThrow(),
                reference(applied),
                unknown.reason(),
                unknown.message());
    }

    /** Why there is no verdict on a rule. */
    private record Unknown(String reason, String message) {}

    /** {@return why there is no verdict on a rule of a pod that is bound to a node; empty if there is one} */
    private Optional<Unknown> whyUnknown(Pod pod, AppliedRule applied) {
        String hash = applied.identity().hash();
        if (leftOut.containsKey(hash)) {
            return Optional.of(new Unknown(Reason.TOO_COMPLEX.label(), leftOut.getOrDefault(hash, "")));
        }
        String node = pod.nodeName().orElseThrow();
        if (index.view().node(node).isEmpty()) {
            return Optional.of(new Unknown(Reason.NODE_MISSING.label(), "no node " + node));
        }
        return missingNamespace
                .filter(_ -> selectsNamespaces(applied.rule()))
                .map(namespace -> new Unknown(
                        NAMESPACE_MISSING,
                        "the rule selects namespaces by labels, and namespace " + namespace + " is not in the input"));
    }

    private static boolean selectsNamespaces(Rule rule) {
        Stream<PodAffinityTerm> terms = switch (rule) {
            case Rule.PodAffinity affinity -> affinity.terms().stream();
            case Rule.PodAntiAffinity anti -> Stream.of(anti.term());
            case Rule.NodeAffinity _, Rule.TopologySpread _ -> Stream.empty();
        };
        return terms.anyMatch(
                term -> term.namespaceSelector().filter(it -> !it.isEmpty()).isPresent());
    }

    /** {@return the explanation of a pod; empty if there is no pod of this name} */
    public Optional<PodExplanation> explain(NamespacedName name) {
        return pods.stream().filter(pod -> pod.name().equals(name)).findFirst().map(this::explain);
    }

    private PodExplanation explain(Pod pod) {
        List<AppliedRule> applied = index.rulesOf(pod.uid());
        return new PodExplanation(
                CheckReport.API_VERSION,
                PodExplanation.KIND,
                pod.namespace(),
                pod.name().name(),
                pod.uid(),
                pod.nodeName().orElse(""),
                applied.stream().map(rule -> explained(pod, rule)).toList(),
                nodesFor(pod, applied));
    }

    private PodExplanation.ExplainedRule explained(Pod pod, AppliedRule applied) {
        Optional<Unknown> unknown = pod.nodeName().flatMap(_ -> whyUnknown(pod, applied));
        Verdict verdict = verdict(pod, applied);
        return new PodExplanation.ExplainedRule(
                reference(applied),
                applied.rule().describe(),
                isOfSpec(pod, applied.rule()),
                policies(applied),
                unknown.isPresent() ? PodExplanation.UNDETERMINED : PodExplanation.label(verdict),
                unknown.map(Unknown::message).orElseGet(() -> PodExplanation.because(verdict)),
                unknown.isPresent() || !(verdict instanceof Verdict.Violated(ViolationDetail detail))
                        ? ""
                        : Wording.healing(detail));
    }

    /** {@return the verdict of the index, which leaves out pods of exempt namespaces} */
    private Verdict verdict(Pod pod, AppliedRule applied) {
        Optional<Verdict> violated =
                index.violationDetail(pod.uid(), applied.identity()).map(Verdict::violated);
        Verdict judged = Evaluator.judge(applied.rule(), pod, index.view());
        return violated.orElseGet(() -> judged instanceof Verdict.Violated ? Verdict.satisfied() : judged);
    }

    /** {@return which nodes would take the pod if it left its own, and why the others would not} */
    private PodExplanation.Nodes nodesFor(Pod pod, List<AppliedRule> applied) {
        ClusterView view = index.view();
        List<Rule> rules = applied.stream().map(AppliedRule::rule).toList();
        Map<String, NodeFilter> byRule = new LinkedHashMap<>();
        applied.forEach(one -> byRule.put(
                "its rule " + one.requests().getFirst().name() + " ("
                        + one.rule().describe() + ")",
                Evaluator.prepare(one.rule(), pod, view)));
        NodeRejection rejection =
                Placement.ofNode(pod, rules).or(Placement.ofPods(pod, rules, view, ExistingAntiAffinityView.of(view)));
        List<String> accepting = new ArrayList<>();
        Map<String, List<String>> refusing = new LinkedHashMap<>();
        for (Node node : view.nodes()) {
            Optional<String> refused = rejection.to(node);
            if (refused.isEmpty()) {
                accepting.add(node.name());
            } else {
                String why = byRule.entrySet().stream()
                        .filter(rule -> !(rule.getValue().on(node) instanceof Verdict.Satisfied))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse(refused.get());
                refusing.computeIfAbsent(why, _ -> new ArrayList<>()).add(node.name());
            }
        }
        return PodExplanation.Nodes.of(accepting, refusing);
    }
}
