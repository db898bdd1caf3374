package dev.holdfast.operator.offline.waiting;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.evaluate.UnreadNodes;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The pods whose required anti-affinity excludes a pod from nodes (AA-4). */
final class ExcludingPods {
    private static final int MOST_NAMED = 3;

    private final Pod excluded;
    private final ClusterView view;

    /**
     * The terms that match the pod, by topology key and by domain, because a cluster has many pods and nodes; null
     * until the first node needs them, because all pods are read.
     */
    private @Nullable Map<String, Map<String, List<Excluding>>> terms;

    /**
     * A term of another pod that matches the excluded pod.
     *
     * @param rule the term as text
     */
    private record Excluding(NamespacedName pod, String rule) {}

    ExcludingPods(Pod excluded, ClusterView view) {
        this.excluded = excluded;
        this.view = view;
    }

    /**
     * {@return some of the pods that exclude the pod from a node, with their rule, and how many others do: {@code
     * lab/ui-1 is apart from (tier=gpu) by rack}; empty if none does}
     */
    Optional<String> from(Node node) {
        Map<String, TreeSet<String>> podsByRule = new TreeMap<>();
        TreeSet<String> all = new TreeSet<>();
        terms().forEach((key, byDomain) -> node.labels().get(key).stream()
                .flatMap(domain -> byDomain.getOrDefault(domain, List.of()).stream())
                .forEach(term -> {
                    String name = term.pod().namespace() + "/" + term.pod().name();
                    podsByRule
                            .computeIfAbsent(term.rule(), _ -> new TreeSet<>())
                            .add(name);
                    all.add(name);
                }));
        return all.isEmpty()
                ? Optional.empty()
                : podsByRule.entrySet().stream()
                        .filter(rule -> rule.getValue().contains(all.first()))
                        .findFirst()
                        .map(rule -> describe(rule.getKey(), rule.getValue(), all.size()));
    }

    private static String describe(String rule, SortedSet<String> pods, int all) {
        int unnamed = pods.size() - MOST_NAMED;
        String named = pods.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                + (unnamed > 0 ? " and " + unnamed + " more" : "");
        int others = all - pods.size();
        String ofOthers = switch (others) {
            case 0 -> "";
            case 1 -> "; another pod excludes it by another rule";
            default -> "; " + others + " other pods exclude it by other rules";
        };
        return named + (pods.size() == 1 ? " is" : " are") + " to be apart from " + rule + ofOthers;
    }

    private Map<String, Map<String, List<Excluding>>> terms() {
        Map<String, Map<String, List<Excluding>>> known = terms;
        if (known == null) {
            known = new TreeMap<>();
            for (Pod other : view.pods()) {
                Optional<Node> node = view.countedNode(other).or(() -> UnreadNodes.unreadNode(other, view));
                if (node.isPresent() && !other.uid().equals(excluded.uid())) {
                    addTerms(other, node.get(), known);
                }
            }
            terms = known;
        }
        return known;
    }

    private void addTerms(Pod other, Node node, Map<String, Map<String, List<Excluding>>> found) {
        for (TermMatcher term :
                ExistingAntiAffinityView.terms(other.scheduling().podAntiAffinity(), other.namespace())) {
            if (term.matchesEvaluatedPod(excluded, view)) {
                Excluding excluding = new Excluding(other.name(), term.toString());
                node.labels()
                        .get(term.topologyKey())
                        .ifPresent(domain -> found.computeIfAbsent(term.topologyKey(), _ -> new HashMap<>())
                                .computeIfAbsent(domain, _ -> new ArrayList<>())
                                .add(excluding));
            }
        }
    }
}
