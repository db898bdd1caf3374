package dev.holdfast.policies.effect;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.view.ForwardingView;
import dev.holdfast.policies.selector.LabelAnchor;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds pods that selectors match, and counts what it examines. For each label key that selectors require, it reads the
 * pods once and remembers them by value. Results of a spent budget are worthless.
 */
final class PodSearch {
    private final ClusterView view;
    private final Budget budget;
    private final Map<Labelled, Map<String, List<Pod>>> byValue = new HashMap<>();
    private final Map<String, Collection<Pod>> byNamespace = new HashMap<>();

    /** The pods that have a label with this key, of one namespace or, if that is empty, of all. */
    private record Labelled(Optional<String> namespace, String key) {}

    /** A view that counts the labels that it tests. */
    private record CountedView(ClusterView view, Budget budget) implements ForwardingView {
        @Override
        public Iterable<Pod> podsWith(Predicate<Labels> labels) {
            return view.podsWith(it -> budget.take() && labels.test(it));
        }

        @Override
        public Iterable<Pod> podsIn(String namespace, Predicate<Labels> labels) {
            return view.podsIn(namespace, it -> budget.take() && labels.test(it));
        }
    }

    PodSearch(ClusterView view, Budget budget) {
        this.view = new CountedView(view, budget);
        this.budget = budget;
    }

    /** {@return whether a pod matches all terms, with any labels in place of those that were not read} */
    boolean anyMatches(List<TermMatcher> terms) {
        Predicate<Pod> matches = pod -> budget.take() && terms.stream().allMatch(term -> term.mayMatch(pod, view));
        Optional<TermMatcher> rarest = terms.stream()
                .filter(term -> !anchors(term.pods()).isEmpty())
                .min(Comparator.comparingLong(this::candidates));
        return rarest.isPresent()
                ? having(rarest.get()).flatMap(List::stream).anyMatch(matches)
                        || rarest.get().undecidedPods(view).stream().anyMatch(matches)
                : scopes(terms.getFirst())
                        .anyMatch(scope -> pods(scope).stream().anyMatch(matches));
    }

    /** {@return whether a pod of a namespace matches, with any labels in place of those that were not read} */
    boolean anyMatches(String namespace, LabelMatcher matcher) {
        List<LabelAnchor> anchors = anchors(matcher);
        Predicate<Pod> matches = pod -> budget.take() && matcher.mayMatch(pod.labels());
        return anchors.isEmpty()
                ? pods(Optional.of(namespace)).stream().anyMatch(matches)
                : having(Optional.of(namespace), anchors).flatMap(List::stream).anyMatch(matches)
                        || view.podsWithUnreadLabels(namespace).iterator().hasNext();
    }

    private static List<LabelAnchor> anchors(LabelMatcher matcher) {
        return matcher.anchors(Set.of());
    }

    private long candidates(TermMatcher term) {
        return having(term).mapToLong(List::size).sum();
    }

    private Stream<List<Pod>> having(TermMatcher term) {
        return scopes(term).flatMap(scope -> having(scope, anchors(term.pods())));
    }

    private static Stream<Optional<String>> scopes(TermMatcher term) {
        return term.onlyNamespaces()
                .map(names -> names.stream().map(Optional::of))
                .orElseGet(() -> Stream.of(Optional.empty()));
    }

    private Stream<List<Pod>> having(Optional<String> namespace, List<LabelAnchor> anchors) {
        return anchors.stream().flatMap(anchor -> {
            Map<String, List<Pod>> values = byValue(new Labelled(namespace, anchor.key()));
            return anchor.value().isPresent()
                    ? Stream.of(values.getOrDefault(anchor.value().get(), List.of()))
                    : values.values().stream();
        });
    }

    private Map<String, List<Pod>> byValue(Labelled labelled) {
        Map<String, List<Pod>> before = byValue.get(labelled);
        if (before != null) {
            return before;
        }
        Map<String, List<Pod>> found = new HashMap<>();
        Predicate<Labels> hasKey = labels -> labels.has(labelled.key());
        for (Pod pod : labelled.namespace()
                .map(namespace -> view.podsIn(namespace, hasKey))
                .orElseGet(() -> view.podsWith(hasKey))) {
            if (!budget.take()) {
                return Map.of();
            }
            found.computeIfAbsent(pod.labels().get(labelled.key()).orElseThrow(), _ -> new ArrayList<>())
                    .add(pod);
        }
        if (!budget.isSpent()) {
            byValue.put(labelled, found);
        }
        return found;
    }

    private Collection<Pod> pods(Optional<String> namespace) {
        return namespace
                .map(name -> byNamespace.computeIfAbsent(name, view::podsIn))
                .orElseGet(view::pods);
    }
}
