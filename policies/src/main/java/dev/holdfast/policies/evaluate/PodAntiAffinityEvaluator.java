package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Evaluates one required term of pod anti-affinity (AA-1 to AA-3, X-3): apart from the rule owner, no pod in the node's
 * domain may match the term. A terminating pod counts until it is gone (W-4). On a node without the topology key the
 * rule is satisfied.
 *
 * <p>Example: two {@code app=web} pods in z1, each with anti-affinity to {@code app=web} by zone. The rules of both
 * pods are violated, and moving either pod heals both.
 */
final class PodAntiAffinityEvaluator {
    private PodAntiAffinityEvaluator() {}

    static NodeFilter prepare(Rule.PodAntiAffinity rule, Pod pod, ClusterView view) {
        return switch (TermMatcher.of(rule.term(), pod.namespace())) {
            case ParseResult.Unusable<TermMatcher>(String why) ->
                _ -> new Verdict.Undetermined(Reason.UNPARSABLE_RULE, why);
            case ParseResult.Usable<TermMatcher>(TermMatcher term) -> {
                Map<Domain, List<Pod>> partners = partners(term, pod, view);
                Map<Domain, Verdict> known = new HashMap<>();
                yield node -> on(node, term.topologyKey(), partners, known);
            }
        };
    }

    private static Map<Domain, List<Pod>> partners(TermMatcher term, Pod pod, ClusterView view) {
        Map<Domain, List<Pod>> partners = new HashMap<>();
        for (Pod other : term.podsMatchingLabels(view)) {
            if (!term.matches(other, view) || other.uid().equals(pod.uid())) {
                continue;
            }
            view.countedNode(other)
                    .flatMap(node -> Domain.of(node, term.topologyKey()))
                    .ifPresent(domain -> partners.computeIfAbsent(domain, _ -> new ArrayList<>())
                            .add(other));
        }
        // The candidates are ordered by namespace; sort them by UID.
        partners.values().forEach(sharing -> sharing.sort(Comparator.comparing(Pod::uid)));
        return partners;
    }

    /** Passes each forbidden pod and its domain on. Returns the topology key; none if the rule cannot be parsed. */
    static List<String> count(Rule.PodAntiAffinity rule, Pod pod, ClusterView view, BiConsumer<Domain, Pod> partners) {
        if (!(TermMatcher.of(rule.term(), pod.namespace())
                instanceof ParseResult.Usable<TermMatcher>(TermMatcher term))) {
            return List.of();
        }
        partners(term, pod, view).forEach((domain, others) -> others.forEach(other -> partners.accept(domain, other)));
        return List.of(term.topologyKey());
    }

    /** {@return the verdict for a node, cached in {@code known}: all nodes of a domain have the same verdict} */
    private static Verdict on(
            Node node, String topologyKey, Map<Domain, List<Pod>> partners, Map<Domain, Verdict> known) {
        return Domain.of(node, topologyKey)
                .map(domain -> known.computeIfAbsent(domain, it -> inDomain(it, partners)))
                .orElseGet(Verdict::satisfied);
    }

    private static Verdict inDomain(Domain domain, Map<Domain, List<Pod>> partners) {
        List<Pod> sharing = partners.getOrDefault(domain, List.of());
        return sharing.isEmpty()
                ? Verdict.satisfied()
                : Verdict.violated(new ViolationDetail.Conflict(domain.topologyKey(), domain.value(), sharing));
    }
}
