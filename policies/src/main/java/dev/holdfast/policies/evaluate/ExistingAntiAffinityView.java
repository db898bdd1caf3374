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

/** Anti-affinity seen from the other side (AA-4): a pod is kept out of the domains of those whose own terms match it. */
@FunctionalInterface
public interface ExistingAntiAffinityView {
    /** {@return whether the own anti-affinity of any pod that is there, this one left out, keeps the pod off a node} */
    Predicate<Node> keepingOut(Pod pod);

    /** {@return what the pods of a view keep out, all of them looked at for each question} */
    static ExistingAntiAffinityView of(ClusterView view) {
        return of(view.pods(), view);
    }

    /** {@return what some pods keep out, be they in the view or not, all of them looked at for each question} */
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
            Optional<Node> node = view.nodeCounting(other);
            if (node.isPresent() && !other.uid().equals(pod.uid())) {
                for (TermMatcher term : terms(other.scheduling().podAntiAffinity(), other.namespace())) {
                    if (term.matchesAsOther(pod, view)) {
                        Domain.of(node.get(), term.topologyKey()).ifPresent(domains::add);
                    }
                }
            }
        }
        return domains;
    }

    /**
     * {@return the terms by which a pod that is there keeps others out; none if one of them does not parse (PA-8)}
     *
     * @param ownerNamespace of the pod
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
