package dev.holdfast.operator.offline.check;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.UnreadNodes;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.plan.check.UnreadObjectsCheck;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the rules on which an input gives no verdict: it lacks a node or a namespace, has an object with more than is
 * read, or a rule cannot be evaluated.
 */
public final class UnknownVerdicts {
    private static final String NAMESPACE_MISSING = "NamespaceMissing";

    /** A cluster without objects, in which only rules that cannot be evaluated have an undetermined verdict. */
    private static final ClusterView NOTHING = new Index(Set.of(), VerdictListener.NONE).view();

    private final Index index;
    private final ClusterView view;
    private final Map<String, Set<RuleIdentity>> leftOut = new HashMap<>();
    private final Optional<String> missingNamespace;

    /** Why there is no verdict on a rule. */
    public record Unknown(String reason, String message) {
        private static Unknown of(Reason reason, String message) {
            return new Unknown(reason.label(), message);
        }
    }

    /** @param pods all pods of the input */
    public UnknownVerdicts(Index index, Collection<Pod> pods) {
        this.index = index;
        this.view = index.view();
        index.takeLeftOut()
                .forEach(rule -> leftOut.computeIfAbsent(rule.pod().namespace(), _ -> new HashSet<>())
                        .add(rule.identity()));
        this.missingNamespace = pods.stream()
                .map(Pod::namespace)
                .distinct()
                .filter(namespace -> view.namespace(namespace).isEmpty())
                .sorted()
                .findFirst();
    }

    private boolean isMissing(String node) {
        return view.node(node).isEmpty();
    }

    /** {@return why there is no verdict on any rule of a pod's own spec; empty if the pod was read in full} */
    static Optional<Unknown> of(Pod pod) {
        return pod.scheduling().tooComplex().map(why -> Unknown.of(Reason.TOO_COMPLEX, why));
    }

    /** {@return why there is no verdict on a rule of a pod, although it may have a node; empty if there is one} */
    public Optional<Unknown> of(Pod pod, Rule rule) {
        if (leftOut.getOrDefault(pod.namespace(), Set.of()).contains(rule.identity())) {
            return Optional.of(Unknown.of(
                    Reason.TOO_COMPLEX, "the rules of namespace " + pod.namespace() + " take too much memory"));
        }
        return pod.nodeName()
                .filter(this::isMissing)
                .map(this::missing)
                .or(() -> anywhere(pod, rule))
                .or(() -> pod.nodeName().flatMap(_ -> undecided(rule, pod)));
    }

    /** {@return why there is no verdict on a rule of a pod on any node; empty if there is one} */
    Optional<Unknown> anywhere(Pod pod, Rule rule) {
        return unparsable(rule, pod)
                .or(() -> missingNamespace
                        .filter(_ -> selectsNamespaces(rule))
                        .map(namespace -> new Unknown(
                                NAMESPACE_MISSING,
                                "the rule selects namespaces by labels, and namespace " + namespace
                                        + " is not in the input")));
    }

    private Unknown missing(String node) {
        return view.unreadNode(node)
                .map(unread -> Unknown.of(Reason.TOO_COMPLEX, UnreadNodes.why(unread)))
                .orElseGet(() -> Unknown.of(Reason.NODE_MISSING, "no node " + node));
    }

    /** {@return why a rule that is violated may be satisfied by an object that was not read} */
    private Optional<Unknown> undecided(Rule rule, Pod pod) {
        return isViolated(rule, pod)
                ? UnreadObjectsCheck.undecided(rule, pod, view).map(hold -> Unknown.of(hold.reason(), hold.message()))
                : Optional.empty();
    }

    /** {@return whether a rule is violated} For rules that policies request, the index already knows the verdict. */
    private boolean isViolated(Rule rule, Pod pod) {
        return index.rule(pod.uid(), rule.identity()).isPresent()
                ? index.isBroken(pod.uid(), rule.identity())
                : Evaluator.judge(rule, pod, view) instanceof Verdict.Violated;
    }

    private Optional<Unknown> unparsable(Rule rule, Pod pod) {
        Optional<Verdict> verdict = view.nodes().stream()
                .findFirst()
                .map(node -> Evaluator.prepare(rule, pod, NOTHING).on(node));
        return verdict.isPresent() && verdict.get() instanceof Verdict.Undetermined(Reason reason, String why)
                ? Optional.of(Unknown.of(reason, why))
                : Optional.empty();
    }

    private static boolean selectsNamespaces(Rule rule) {
        return terms(rule).stream()
                .anyMatch(term ->
                        term.namespaceSelector().filter(it -> !it.isEmpty()).isPresent());
    }

    private static List<PodAffinityTerm> terms(Rule rule) {
        return switch (rule) {
            case Rule.PodAffinity affinity -> affinity.terms();
            case Rule.PodAntiAffinity anti -> List.of(anti.term());
            case Rule.NodeAffinity _, Rule.TopologySpread _ -> List.of();
        };
    }
}
