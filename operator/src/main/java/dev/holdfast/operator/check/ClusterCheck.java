package dev.holdfast.operator.check;

import dev.holdfast.operator.publish.Wording;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.RuleOwners;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LabelSelector;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the violations in a cluster at one moment, with the index that the operator uses. */
public final class ClusterCheck {
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

    private ClusterCheck(Set<String> exemptNamespaces) {
        index = new Index(exemptNamespaces, new Unheard());
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

    /**
     * {@return the violations of a cluster}
     *
     * @param objects the objects of the cluster; fastest if namespaces and nodes come before pods
     * @param policies the policies that ask for rules; if there is none, each pod is held to the rules of its own spec
     * @param exemptNamespaces anti-affinity does not count pods in these namespaces
     */
    public static CheckReport of(
            Collection<ClusterEvent> objects, Collection<Policy> policies, Set<String> exemptNamespaces) {
        ClusterCheck check = new ClusterCheck(exemptNamespaces);
        objects.forEach(check::see);
        (policies.isEmpty() ? List.of(OWN_RULES) : policies).forEach(check.index::put);
        return check.report();
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

    private CheckReport report() {
        List<CheckReport.Undetermined> undetermined = undetermined();
        Set<List<String>> open = undetermined.stream()
                .map(entry -> List.of(entry.uid(), entry.rule().identity()))
                .collect(Collectors.toSet());
        List<CheckReport.Violation> violations = new ArrayList<>();
        index.forEachBroken((pod, applied) -> {
            if (!open.contains(List.of(pod.uid(), applied.identity().hash()))) {
                violations.add(violation(pod, applied));
            }
        });
        violations.sort(CheckReport.OfPod.ORDER);
        return new CheckReport(
                CheckReport.API_VERSION,
                CheckReport.KIND,
                new CheckReport.Summary(pods.size(), nodes, violations.size()),
                violations,
                undetermined);
    }

    private CheckReport.Violation violation(Pod pod, AppliedRule applied) {
        var detail = index.violationDetail(pod.uid(), applied.identity()).orElseThrow();
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
                applied.policies()
                        .filter(policy -> !policy.equals(OWN_RULES.id()))
                        .map(PolicyId::toString)
                        .toList());
    }

    /** The kubelet checks the node rules of the pods that run on its node when it starts. */
    private static boolean isCheckedByKubelet(Pod pod, AppliedRule applied) {
        return applied.rule().kind() == RuleKind.NODE_AFFINITY
                && PodRules.of(pod.scheduling()).stream()
                        .anyMatch(rule -> rule.identity().equals(applied.identity()));
    }

    private static CheckReport.RuleReference reference(AppliedRule applied) {
        return new CheckReport.RuleReference(
                applied.rule().kind().label(),
                applied.requests().getFirst().name(),
                applied.identity().hash());
    }

    private List<CheckReport.Undetermined> undetermined() {
        Map<String, String> leftOut = index.takeLeftOut().stream()
                .collect(Collectors.toMap(
                        rule -> rule.identity().hash(),
                        rule -> "the rules of namespace " + rule.pod().namespace() + " take too much memory",
                        (one, _) -> one));
        Optional<String> missingNamespace = missingNamespace();
        return pods.stream()
                .filter(pod -> pod.nodeName().isPresent() && !pod.finished() && !pod.terminating())
                .flatMap(pod -> index.rulesOf(pod.uid()).stream()
                        .flatMap(applied -> unknown(pod, applied, leftOut, missingNamespace).stream()))
                .sorted(CheckReport.OfPod.ORDER)
                .toList();
    }

    private Optional<CheckReport.Undetermined> unknown(
            Pod pod, AppliedRule applied, Map<String, String> leftOut, Optional<String> missingNamespace) {
        String hash = applied.identity().hash();
        if (leftOut.containsKey(hash)) {
            return Optional.of(undetermined(pod, applied, Reason.TOO_COMPLEX.label(), leftOut.getOrDefault(hash, "")));
        }
        String node = pod.nodeName().orElseThrow();
        if (index.view().node(node).isEmpty()) {
            return Optional.of(undetermined(pod, applied, Reason.NODE_MISSING.label(), "no node " + node));
        }
        return missingNamespace
                .filter(_ -> selectsNamespaces(applied.rule()))
                .map(namespace -> undetermined(
                        pod,
                        applied,
                        NAMESPACE_MISSING,
                        "the rule selects namespaces by labels, and namespace " + namespace + " is not in the input"));
    }

    /** {@return the first namespace of pods that is not in the input; empty if all are} */
    private Optional<String> missingNamespace() {
        return pods.stream()
                .map(Pod::namespace)
                .distinct()
                .filter(namespace -> index.view().namespace(namespace).isEmpty())
                .sorted()
                .findFirst();
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

    private static CheckReport.Undetermined undetermined(Pod pod, AppliedRule applied, String reason, String message) {
        return new CheckReport.Undetermined(
                pod.namespace(),
                pod.name().name(),
                pod.uid(),
                pod.nodeName().orElseThrow(),
                reference(applied),
                reason,
                message);
    }

    /** The check reads all verdicts at the end, so it needs no changes of them. */
    private static final class Unheard implements VerdictListener {
        @Override
        public void broken(RuleOwners ruleOwners, FactChange factChange) {
            // Read at the end.
        }

        @Override
        public void mended(RuleOwners ruleOwners, Ending ending, FactChange factChange) {
            // Read at the end.
        }

        @Override
        public void requestsChanged(Pod holder, AppliedRule before, AppliedRule after, FactChange factChange) {
            // There is one version of each policy.
        }
    }
}
