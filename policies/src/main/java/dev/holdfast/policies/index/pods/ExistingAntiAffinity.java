package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.UnreadNodes;
import dev.holdfast.policies.index.lookup.FindableRule;
import dev.holdfast.policies.index.lookup.RuleLookup;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.selector.LabelAnchor;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The anti-affinity of all existing pods, whether or not policies select them. For a given pod, the index finds the
 * terms that match the pod: they exclude the pod from the domains of the existing pods (AA-4). Pods of one namespace
 * with the same terms share an entry; pods without anti-affinity take no memory here.
 */
public final class ExistingAntiAffinity implements ExistingAntiAffinityView {
    private final ClusterView view;
    private final Map<Key, PodsWithTerms> all = new HashMap<>();
    private final RuleLookup<Term> termLookup = new RuleLookup<>();

    public ExistingAntiAffinity(ClusterView view) {
        this.view = view;
    }

    private record Key(String namespace, List<PodAffinityTerm> terms) {
        static Key of(Pod pod) {
            return new Key(pod.namespace(), pod.scheduling().podAntiAffinity());
        }
    }

    /**
     * Pods of one namespace with the same anti-affinity terms. Pods that match a term may not be placed in the domains
     * of these pods.
     */
    static final class PodsWithTerms {
        private final Key key;
        final PodList pods = new PodList((pod, place) -> pod.placeAmongRepellers = place);
        private final List<Term> terms;

        private PodsWithTerms(Key key) {
            this.key = key;
            this.terms = ExistingAntiAffinityView.terms(key.terms(), key.namespace()).stream()
                    .map(matcher -> new Term(matcher, this))
                    .toList();
        }
    }

    /** One anti-affinity term of the pods in a {@link PodsWithTerms}. */
    private static final class Term implements FindableRule {
        final TermMatcher matcher;
        final PodsWithTerms of;

        Term(TermMatcher matcher, PodsWithTerms of) {
            this.matcher = matcher;
            this.of = of;
        }

        @Override
        public List<LabelAnchor> anchors() {
            return matcher.pods().anchors(List.of());
        }

        @Override
        public Optional<Set<String>> onlyNamespaces() {
            return matcher.onlyNamespaces();
        }
    }

    /** Adds the anti-affinity terms of a new pod, if it has any. */
    void came(PodEntry pod) {
        if (pod.pod.scheduling().podAntiAffinity().isEmpty()) {
            return;
        }
        Key key = Key.of(pod.pod);
        PodsWithTerms known = all.get(key);
        if (known == null) {
            known = new PodsWithTerms(key);
            all.put(key, known);
            known.terms.forEach(termLookup::add);
        }
        known.pods.add(pod);
        pod.podsWithTerms = known;
    }

    /** Removes the anti-affinity terms of a pod, if it has any. */
    void left(PodEntry pod) {
        PodsWithTerms known = pod.podsWithTerms;
        if (known != null) {
            pod.podsWithTerms = null;
            known.pods.remove(pod.placeAmongRepellers);
            if (known.pods.isEmpty()) {
                known.terms.forEach(termLookup::remove);
                all.remove(known.key);
            }
        }
    }

    /**
     * Updates the anti-affinity terms of a changed pod.
     *
     * @param before the state of the pod before the change
     */
    void became(PodEntry pod, Pod before) {
        boolean alike = before.scheduling()
                        .podAntiAffinity()
                        .equals(pod.pod.scheduling().podAntiAffinity())
                && before.namespace().equals(pod.pod.namespace());
        if (!alike) {
            left(pod);
            came(pod);
        }
    }

    public boolean isEmpty() {
        return all.isEmpty() && termLookup.isEmpty();
    }

    @Override
    public NodeRejection rejection(Pod pod) {
        Map<String, Set<String>> domains = new HashMap<>();
        Set<String> unsureKeys = new HashSet<>();
        termLookup.forEach(pod.namespace(), pod.labels(), term -> {
            if (term.matcher.matchesEvaluatedPod(pod, view)) {
                String key = term.matcher.topologyKey();
                if (gather(term.of, pod, key, domains.computeIfAbsent(key, _ -> new HashSet<>()))) {
                    unsureKeys.add(key);
                }
            }
        });
        return NodeRejection.unless(node -> !isIn(domains, node), EXCLUDED)
                .or(ExistingAntiAffinityView.unsure(unsureKeys));
    }

    /** Adds the domains of pods; returns whether one of them is on a node of which the domain was not read. */
    private boolean gather(PodsWithTerms podsWithTerms, Pod but, String topologyKey, Set<String> domains) {
        boolean anyUnread = !view.unreadNodes().isEmpty();
        boolean unread = false;
        for (PodEntry other : podsWithTerms.pods) {
            if (!other.pod.uid().equals(but.uid())) {
                Optional<Node> node = other.countsOn();
                if (node.isEmpty() && anyUnread) {
                    node = UnreadNodes.unreadNode(other.pod, view);
                    unread |= node.filter(it -> !it.hasRead(topologyKey)).isPresent();
                }
                node.flatMap(it -> it.labels().get(topologyKey)).ifPresent(domains::add);
            }
        }
        return unread;
    }

    private static boolean isIn(Map<String, Set<String>> domains, Node node) {
        for (Map.Entry<String, Set<String>> some : domains.entrySet()) {
            if (node.labels()
                    .get(some.getKey())
                    .filter(some.getValue()::contains)
                    .isPresent()) {
                return true;
            }
        }
        return false;
    }
}
