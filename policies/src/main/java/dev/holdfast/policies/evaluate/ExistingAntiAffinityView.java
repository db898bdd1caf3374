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

/**
 * The required anti-affinity of existing pods. A pod that matches a term of an existing pod may not be placed in the
 * domain of the existing pod (AA-4).
 */
@FunctionalInterface
public interface ExistingAntiAffinityView {
    /** The reason, as text, why a node rejects a pod. */
    String EXCLUDED = "excluded by other pods' anti-affinity";

    /**
     * {@return a check that rejects the nodes from which the anti-affinity of other pods excludes {@code pod}, or may
     * exclude it} A pod on a node that was not read may be in any domain of its topology key, unless the key is among
     * {@link Node#KEPT_KEYS}.
     */
    NodeRejection rejection(Pod pod);

    /** {@return the anti-affinity of all pods in a view; each call of {@link #rejection} reads all these pods} */
    static ExistingAntiAffinityView of(ClusterView view) {
        return of(view.pods(), view);
    }

    /**
     * {@return the anti-affinity of the given pods, which need not be in the view; each call of {@link #rejection}
     * reads all these pods}
     */
    static ExistingAntiAffinityView of(Collection<Pod> others, ClusterView view) {
        return pod -> {
            Set<Domain> domains = new HashSet<>();
            Set<String> unsureKeys = new HashSet<>();
            gather(pod, others, view, domains, unsureKeys);
            return NodeRejection.unless(
                            node -> domains.stream()
                                    .noneMatch(domain -> node.labels().has(domain.topologyKey(), domain.value())),
                            EXCLUDED)
                    .or(unsure(unsureKeys));
        };
    }

    /** {@return a check that rejects the nodes that have one of the keys} */
    static NodeRejection unsure(Set<String> keys) {
        return keys.isEmpty()
                ? NodeRejection.NONE
                : NodeRejection.unless(node -> keys.stream().noneMatch(node.labels()::has), UnreadNodes.UNSURE);
    }

    private static void gather(
            Pod pod, Collection<Pod> others, ClusterView view, Set<Domain> domains, Set<String> unsureKeys) {
        for (Pod other : others) {
            if (other.scheduling().podAntiAffinity().isEmpty() || other.uid().equals(pod.uid())) {
                continue;
            }
            Optional<Node> node = view.countedNode(other).or(() -> UnreadNodes.unreadNode(other, view));
            if (node.isPresent()) {
                for (TermMatcher term : terms(other.scheduling().podAntiAffinity(), other.namespace())) {
                    if (term.matchesEvaluatedPod(pod, view)) {
                        Domain.of(node.get(), term.topologyKey()).ifPresent(domains::add);
                        if (!node.get().hasRead(term.topologyKey())) {
                            unsureKeys.add(term.topologyKey());
                        }
                    }
                }
            }
        }
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
