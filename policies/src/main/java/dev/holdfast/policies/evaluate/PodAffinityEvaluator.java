package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates required pod affinity (AF-1 to AF-9, X-2): for each term, the node's domain must contain a partner. A pod
 * is a partner only if it matches all terms.
 *
 * <p>Exception for the first of several pods that must be near each other (AF-5): if no domain of any term contains a
 * partner, and the pod matches its own terms, every node with all topology keys satisfies the rule.
 *
 * <p>Example: affinity to {@code app=cache} by zone, with the only cache in z1. The rule is satisfied for a pod in z1
 * and violated for a pod in z2. Once the cache is gone, the rule is violated for both pods.
 */
final class PodAffinityEvaluator {
    private final Rule.PodAffinity rule;
    private final List<TermMatcher> terms;
    private final Set<Domain> withPartner;
    private final boolean ownPartner;

    /** The rule as text; null until the first violation needs it. */
    private @Nullable String demand;

    private PodAffinityEvaluator(
            Rule.PodAffinity rule, List<TermMatcher> terms, Set<Domain> withPartner, boolean ownPartner) {
        this.rule = rule;
        this.terms = terms;
        this.withPartner = withPartner;
        this.ownPartner = ownPartner;
    }

    static NodeFilter prepare(Rule.PodAffinity rule, Pod pod, ClusterView view) {
        List<TermMatcher> terms = new ArrayList<>();
        for (PodAffinityTerm term : rule.terms()) {
            switch (TermMatcher.of(term, pod.namespace())) {
                case ParseResult.Usable<TermMatcher>(TermMatcher usable) -> terms.add(usable);
                case ParseResult.Unusable<TermMatcher>(String why) -> {
                    return _ -> new Verdict.Undetermined(Reason.UNPARSABLE_RULE, why);
                }
            }
        }
        boolean ownPartner = isPartner(terms, pod, view);
        return new PodAffinityEvaluator(rule, terms, withPartner(terms, pod, view), ownPartner)::on;
    }

    private static Set<Domain> withPartner(List<TermMatcher> terms, Pod pod, ClusterView view) {
        Set<Domain> withPartner = new HashSet<>();
        partners(terms, pod, view, (domain, _) -> withPartner.add(domain));
        return withPartner;
    }

    /** Passes on each partner with its domain for each term. */
    private static void partners(List<TermMatcher> terms, Pod pod, ClusterView view, BiConsumer<Domain, Pod> partners) {
        if (terms.isEmpty()) {
            return;
        }
        List<String> keys = topologyKeys(terms);
        for (Pod other : terms.getFirst().podsMatchingLabels(view)) {
            if (!isPartner(terms, other, view) || other.uid().equals(pod.uid())) {
                continue;
            }
            view.countedNode(other)
                    .ifPresent(node -> keys.forEach(
                            key -> Domain.of(node, key).ifPresent(domain -> partners.accept(domain, other))));
        }
    }

    /** Passes each partner and its domains on. Returns the rule's topology keys; none if the rule cannot be parsed. */
    static List<String> count(Rule.PodAffinity rule, Pod pod, ClusterView view, BiConsumer<Domain, Pod> partners) {
        List<TermMatcher> terms = new ArrayList<>();
        for (PodAffinityTerm term : rule.terms()) {
            if (!(TermMatcher.of(term, pod.namespace())
                    instanceof ParseResult.Usable<TermMatcher>(TermMatcher usable))) {
                return List.of();
            }
            terms.add(usable);
        }
        partners(terms, pod, view, partners);
        return topologyKeys(terms);
    }

    private static List<String> topologyKeys(List<TermMatcher> terms) {
        return terms.stream().map(TermMatcher::topologyKey).distinct().toList();
    }

    private static boolean isPartner(List<TermMatcher> terms, Pod pod, ClusterView view) {
        for (TermMatcher term : terms) {
            if (!term.matches(pod, view)) {
                return false;
            }
        }
        return true;
    }

    private Verdict on(Node node) {
        Optional<Domain> domainWithoutPartner = Optional.empty();
        for (TermMatcher term : terms) {
            Optional<Domain> domain = Domain.of(node, term.topologyKey());
            if (domain.isEmpty()) {
                return Verdict.violated(new ViolationDetail.NoTopologyKey(node.name(), term.topologyKey()));
            }
            if (domainWithoutPartner.isEmpty() && !withPartner.contains(domain.get())) {
                domainWithoutPartner = domain;
            }
        }
        boolean first = withPartner.isEmpty() && ownPartner;
        if (domainWithoutPartner.isEmpty() || first) {
            return Verdict.satisfied();
        }
        Domain domain = domainWithoutPartner.get();
        return Verdict.violated(new ViolationDetail.NoPartner(
                domain.topologyKey(), domain.value(), rule.terms().size(), ownPartner ? 1 : 0, demand()));
    }

    private String demand() {
        if (demand == null) {
            demand = rule.describe();
        }
        return demand;
    }
}
