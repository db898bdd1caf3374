package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The required anti-affinity of existing pods. A pod that matches a term of an existing pod may not be placed in the
 * domain of the existing pod (AA-4).
 */
@FunctionalInterface
public interface ExistingAntiAffinityView {
    /**
     * {@return a predicate that is true for the nodes from which the anti-affinity of other pods excludes {@code pod}}
     */
    Predicate<Node> excludedNodes(Pod pod);

    /** {@return the anti-affinity of all pods in a view; each call of {@link #excludedNodes} reads all these pods} */
    static ExistingAntiAffinityView of(ClusterView view) {
        return of(view.pods(), view);
    }

    /**
     * {@return the anti-affinity of the given pods, which need not be in the view; each call of {@link #excludedNodes}
     * reads all these pods}
     */
    static ExistingAntiAffinityView of(Collection<Pod> others, ClusterView view) {
        return pod -> {
            Set<Domain> domains = domains(pod, others, view);
            return node -> domains.stream().anyMatch(domain -> node.labels().has(domain.topologyKey(), domain.value()));
        };
    }

    private static Set<Domain> domains(Pod pod, Collection<Pod> others, ClusterView view) {
        Set<Domain> domains = new HashSet<>();
        for (Pod other : others) {
            if (other.scheduling().podAntiAffinity().isEmpty()) {
                continue;
            }
            Optional<Node> node = view.countedNode(other);
            if (node.isPresent() && !other.uid().equals(pod.uid())) {
                for (TermMatcher term : terms(other.scheduling().podAntiAffinity(), other.namespace())) {
                    if (term.matchesEvaluatedPod(pod, view)) {
                        Domain.of(node.get(), term.topologyKey()).ifPresent(domains::add);
                    }
                }
            }
        }
        return domains;
    }

    /**
     * {@return the parsed anti-affinity terms of an existing pod; empty if any term is invalid, since the scheduler
     * then ignores all terms of that pod (PA-8)}
     *
     * @param ownerNamespace the namespace of the existing pod
     */
    static List<TermMatcher> terms(List<PodAffinityTerm> written, String ownerNamespace) {
        List<TermMatcher> terms = new ArrayList<>();
        for (PodAffinityTerm term : written) {
            switch (TermMatcher.of(term, ownerNamespace)) {
                case ParseResult.Usable<TermMatcher>(TermMatcher usable) -> terms.add(usable);
                case ParseResult.Unusable<TermMatcher> _ -> {
                    return List.of();
                }
            }
        }
        return terms;
    }
}
