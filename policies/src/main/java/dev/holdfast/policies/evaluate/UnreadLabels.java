package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The effect of labels that were not read ({@link Labels#unread}) on rules of other pods. A verdict counts such a pod
 * as one that only an empty selector matches. So anti-affinity that is violated is violated whatever the labels are,
 * but affinity and spread may be satisfied if the pod counts.
 *
 * <p>Example: a pod in z1 needs {@code app=cache} in its zone. No such pod is in z1, but one whose labels were not
 * read. The rule is violated only if that pod has no label {@code app=cache}.
 */
public final class UnreadLabels {
    private UnreadLabels() {}

    /**
     * {@return the pods that may satisfy the rule of a bound pod that violates it, by namespace and name} Empty if the
     * pod violates the rule whatever labels were not read. For a spread constraint, each such pod in another domain may
     * be the one that the smallest domain lacks.
     *
     * @param rule the rule, before matchLabelKeys are merged
     */
    public static List<Pod> satisfying(Rule rule, Pod owner, ClusterView view) {
        Optional<Node> node = view.countedNode(owner);
        List<Pod> satisfying = node.isEmpty()
                ? List.of()
                : switch (rule.mergedFor(owner.labels())) {
                    case Rule.OfNode _, Rule.PodAntiAffinity _ -> List.of();
                    case Rule.PodAffinity affinity -> partners(affinity, owner, node.get(), view);
                    case Rule.TopologySpread spread -> counted(spread, owner, node.get(), view);
                };
        return satisfying.stream()
                .filter(pod -> !pod.uid().equals(owner.uid()))
                .sorted(Comparator.comparing(Pod::name))
                .toList();
    }

    private static List<Pod> partners(Rule.PodAffinity rule, Pod owner, Node node, ClusterView view) {
        List<TermMatcher> terms = new ArrayList<>();
        rule.terms()
                .forEach(
                        term -> matcher(TermMatcher.of(term, owner.namespace())).ifPresent(terms::add));
        boolean hasAllKeys = terms.stream()
                .allMatch(term -> Domain.of(node, term.topologyKey()).isPresent());
        if (terms.isEmpty() || terms.size() < rule.terms().size() || !hasAllKeys) {
            return List.of();
        }
        Set<Pod> undecided = new HashSet<>();
        terms.forEach(term -> undecided.addAll(term.undecidedPods(view)));
        return undecided.stream()
                .filter(pod -> terms.stream().allMatch(term -> term.mayMatch(pod, view)))
                .filter(pod -> view.countedNode(pod)
                        .filter(other -> terms.stream().anyMatch(term -> inOneDomain(node, other, term.topologyKey())))
                        .isPresent())
                .toList();
    }

    private static boolean inOneDomain(Node one, Node other, String topologyKey) {
        return Domain.of(one, topologyKey).equals(Domain.of(other, topologyKey));
    }

    private static List<Pod> counted(Rule.TopologySpread rule, Pod owner, Node node, ClusterView view) {
        String topologyKey = rule.constraint().topologyKey();
        Optional<LabelMatcher> pods = matcher(LabelMatcher.of(rule.constraint().labelSelector()));
        List<Pod> counted = new ArrayList<>();
        if (Domain.of(node, topologyKey).isEmpty()
                || pods.filter(it -> it.mayMatch(Labels.unread()) && !it.matchesEverything())
                        .isEmpty()) {
            return counted;
        }
        for (Pod pod : view.podsWithUnreadLabels(owner.namespace())) {
            Optional<Node> other = view.countedNode(pod);
            if (!pod.terminating()
                    && other.flatMap(it -> Domain.of(it, topologyKey)).isPresent()
                    && !inOneDomain(node, other.get(), topologyKey)) {
                counted.add(pod);
            }
        }
        return counted;
    }

    /** {@return the nodes in whose domain no pod may break the anti-affinity of a pod that would be placed there} */
    static Predicate<Node> withoutConflict(Rule.PodAntiAffinity rule, Pod pod, ClusterView view) {
        Optional<TermMatcher> term = matcher(TermMatcher.of(rule.term().mergedFor(pod.labels()), pod.namespace()));
        if (term.isEmpty()) {
            return _ -> true;
        }
        Set<Domain> domains = new HashSet<>();
        for (Pod other : term.get().undecidedPods(view)) {
            if (!other.uid().equals(pod.uid())) {
                view.countedNode(other)
                        .flatMap(node -> Domain.of(node, term.get().topologyKey()))
                        .ifPresent(domains::add);
            }
        }
        return node -> Domain.of(node, term.get().topologyKey())
                .filter(domains::contains)
                .isEmpty();
    }

    private static <T> Optional<T> matcher(ParseResult<T> read) {
        return read instanceof ParseResult.Usable<T>(T usable) ? Optional.of(usable) : Optional.empty();
    }
}
