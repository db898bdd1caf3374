package dev.holdfast.operator.offline.waiting;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.evaluate.UnreadNodes;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    /** The pods by topology key and domain; null until the first node needs them, because all pods are read. */
    private @Nullable Map<String, Map<String, InDomain>> pods;

    /** The answers by what each node has of the domains: many nodes share the domains of many pods. */
    private final Map<List<InDomain>, String> known = new HashMap<>();

    /**
     * The pods in one domain that exclude the pod. Its identity is the domain.
     *
     * <p>The text of a rule has the topology key, so the pods of a rule are never in two domains of a node.
     */
    private static final class InDomain {
        /** The names of the pods by the text of the rule. */
        private final TreeMap<String, TreeSet<String>> byRule = new TreeMap<>();

        private final TreeSet<String> all = new TreeSet<>();

        void add(String rule, String name) {
            byRule.computeIfAbsent(rule, _ -> new TreeSet<>()).add(name);
            all.add(name);
        }
    }

    private record Terms(String namespace, List<PodAffinityTerm> written) {}

    /**
     * A term that matches the excluded pod.
     *
     * @param rule the term as text
     */
    private record Excluding(String topologyKey, String rule) {}

    ExcludingPods(Pod excluded, ClusterView view) {
        this.excluded = excluded;
        this.view = view;
    }

    /**
     * {@return some of the pods that exclude the pod from a node, with their rule, and how many others do: {@code
     * lab/ui-1 is apart from (tier=gpu) by rack}; empty if none does}
     */
    Optional<String> from(Node node) {
        List<InDomain> domains = new ArrayList<>();
        pods().forEach((key, byDomain) ->
                node.labels().get(key).map(byDomain::get).ifPresent(domains::add));
        return domains.isEmpty()
                ? Optional.empty()
                : Optional.of(known.computeIfAbsent(domains, ExcludingPods::describe));
    }

    private static String describe(List<InDomain> domains) {
        String first = domains.stream()
                .map(domain -> domain.all.first())
                .min(Comparator.naturalOrder())
                .orElseThrow();
        Map.Entry<String, TreeSet<String>> named = domains.stream()
                .flatMap(domain -> domain.byRule.entrySet().stream())
                .filter(rule -> rule.getValue().contains(first))
                .min(Map.Entry.comparingByKey())
                .orElseThrow();
        return describe(named.getKey(), named.getValue(), count(domains));
    }

    /** {@return how many pods are in any of the domains} The names in the largest one are not read. */
    private static int count(List<InDomain> domains) {
        InDomain largest = domains.stream()
                .max(Comparator.comparingInt(domain -> domain.all.size()))
                .orElseThrow();
        Set<String> further = new HashSet<>();
        domains.stream()
                .filter(domain -> domain != largest)
                .flatMap(domain -> domain.all.stream())
                .filter(name -> !largest.all.contains(name))
                .forEach(further::add);
        return largest.all.size() + further.size();
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

    private Map<String, Map<String, InDomain>> pods() {
        Map<String, Map<String, InDomain>> read = pods;
        if (read == null) {
            read = read();
            pods = read;
        }
        return read;
    }

    private Map<String, Map<String, InDomain>> read() {
        Map<String, Map<String, InDomain>> found = new TreeMap<>();
        // Pods of one template have equal terms, which are parsed once.
        Map<Terms, List<Excluding>> matching = new HashMap<>();
        for (Pod other : view.pods()) {
            List<PodAffinityTerm> written = other.scheduling().podAntiAffinity();
            if (written.isEmpty() || other.uid().equals(excluded.uid())) {
                continue;
            }
            List<Excluding> terms = matching.computeIfAbsent(new Terms(other.namespace(), written), this::matching);
            if (!terms.isEmpty()) {
                view.countedNode(other)
                        .or(() -> UnreadNodes.unreadNode(other, view))
                        .ifPresent(node -> add(other, node, terms, found));
            }
        }
        return found;
    }

    private List<Excluding> matching(Terms terms) {
        return ExistingAntiAffinityView.terms(terms.written(), terms.namespace()).stream()
                .filter(term -> term.matchesEvaluatedPod(excluded, view))
                .map(term -> new Excluding(term.topologyKey(), term.toString()))
                .toList();
    }

    private static void add(Pod other, Node node, List<Excluding> terms, Map<String, Map<String, InDomain>> found) {
        String name = other.namespace() + "/" + other.name().name();
        for (Excluding term : terms) {
            node.labels()
                    .get(term.topologyKey())
                    .ifPresent(domain -> found.computeIfAbsent(term.topologyKey(), _ -> new HashMap<>())
                            .computeIfAbsent(domain, _ -> new InDomain())
                            .add(term.rule(), name));
        }
    }
}
