package dev.holdfast.operator.offline.report;

import dev.holdfast.operator.offline.print.RuleReference;
import dev.holdfast.operator.offline.report.ClusterReport.Spread;
import dev.holdfast.operator.offline.report.ClusterReport.SpreadDomain;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.SpreadDomains;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Counts the pods of spread constraints in their domains, as the scheduler counts them (TS-1 to TS-14). Pods that are
 * held to equal constraints, and count the same pods on the same nodes, share one strip.
 */
final class SpreadStrips {
    /** The maximum number of constraints that hold and are shown. */
    static final int MOST_HOLDING = 100;

    /** The maximum number of domains of one constraint that are shown. */
    static final int MOST_DOMAINS = 40;

    private static final Comparator<Spread> ORDER = Comparator.comparing((Spread strip) -> strip.violatingPods() == 0)
            .thenComparing(Spread::namespace)
            .thenComparing(strip -> strip.rule().identity())
            .thenComparing(Spread::requirement)
            .thenComparing(strip -> strip.domains().toString());

    private final ClusterView view;
    private final Map<Key, Members> strips = new HashMap<>();
    private final Map<SpreadDomains, Map<String, String>> domains = new HashMap<>();

    /** The pods that are held to a constraint and count the same pods. */
    private static final class Members {
        private final AppliedRule rule;
        private final Set<String> violatedIn = new TreeSet<>();
        private int pods;
        private int violating;

        private Members(AppliedRule rule) {
            this.rule = rule;
        }
    }

    private record Key(String namespace, String identity, Optional<LabelSelector> selector, SpreadDomains domains) {}

    SpreadStrips(ClusterView view) {
        this.view = view;
    }

    /**
     * Adds a pod that is held to a spread constraint.
     *
     * @param violated whether the pod violates it
     */
    void add(Pod pod, AppliedRule applied, Rule.TopologySpread rule, Verdict violated) {
        Key key = new Key(
                pod.namespace(),
                applied.identity().hash(),
                rule.constraint().selectorFor(pod.labels()),
                SpreadDomains.of(rule, pod.scheduling()));
        Members members = strips.computeIfAbsent(key, _ -> new Members(applied));
        members.pods++;
        if (violated == Verdict.VIOLATED) {
            members.violating++;
            pod.nodeName()
                    .flatMap(view::node)
                    .flatMap(node -> node.labels().get(rule.constraint().topologyKey()))
                    .ifPresent(members.violatedIn::add);
        }
    }

    /** Whether a pod violates a constraint. */
    enum Verdict {
        VIOLATED,
        HOLDS
    }

    int count() {
        return strips.size();
    }

    int violated() {
        return (int) strips.values().stream().filter(it -> it.violating > 0).count();
    }

    /** {@return the violated constraints, then the first of those that hold} */
    List<Spread> shown() {
        List<Map.Entry<Key, Members>> holding = strips.entrySet().stream()
                .filter(it -> it.getValue().violating == 0)
                .sorted(Comparator.comparing(
                                (Map.Entry<Key, Members> it) -> it.getKey().namespace())
                        .thenComparing(it -> it.getKey().identity())
                        .thenComparing(it -> it.getKey().toString()))
                .limit(MOST_HOLDING)
                .toList();
        List<Spread> shown = new ArrayList<>();
        strips.forEach((key, members) -> {
            if (members.violating > 0) {
                shown.add(strip(key, members));
            }
        });
        holding.forEach(it -> shown.add(strip(it.getKey(), it.getValue())));
        shown.sort(ORDER);
        return shown;
    }

    private Spread strip(Key key, Members members) {
        Rule.TopologySpread rule = (Rule.TopologySpread) members.rule.rule();
        Map<String, Integer> counts = counts(key);
        int minDomains = rule.constraint().minDomains();
        int min = counts.isEmpty() || counts.size() < minDomains
                ? 0
                : counts.values().stream().mapToInt(it -> it).min().orElse(0);
        return new Spread(
                key.namespace(),
                new RuleReference(
                        rule.kind().label(), members.rule.requests().getFirst().name(), key.identity()),
                rule.describe(),
                rule.constraint().topologyKey(),
                rule.constraint().maxSkew(),
                minDomains,
                members.pods,
                members.violating,
                min,
                counts.values().stream().mapToInt(it -> it).max().orElse(0),
                counts.size(),
                shown(counts, members.violatedIn));
    }

    private static List<SpreadDomain> shown(Map<String, Integer> counts, Set<String> violatedIn) {
        Set<String> names = new LinkedHashSet<>(counts.keySet());
        if (names.size() > MOST_DOMAINS) {
            names.clear();
            violatedIn.stream()
                    .filter(counts::containsKey)
                    .limit(MOST_DOMAINS / 2)
                    .forEach(names::add);
            List<String> byCount = counts.keySet().stream()
                    .sorted(Comparator.comparingInt((String name) -> counts.getOrDefault(name, 0))
                            .thenComparing(Comparator.naturalOrder()))
                    .toList();
            byCount.reversed().stream().limit(MOST_DOMAINS / 4).forEach(names::add);
            byCount.stream().limit(MOST_DOMAINS / 4).forEach(names::add);
        }
        return names.stream()
                .sorted()
                .map(name -> new SpreadDomain(name, counts.getOrDefault(name, 0), violatedIn.contains(name)))
                .toList();
    }

    /** {@return the number of matching pods in each domain} */
    private Map<String, Integer> counts(Key key) {
        Map<String, String> domainOf = domains.computeIfAbsent(key.domains(), this::domainOfNodes);
        Map<String, Integer> counts = new TreeMap<>();
        domainOf.values().forEach(domain -> counts.put(domain, 0));
        if (LabelMatcher.of(key.selector()) instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher matcher)
                && !matcher.matchesEverything()) {
            for (Pod pod : view.podsIn(key.namespace(), matcher)) {
                if (!pod.terminating()) {
                    view.countedNode(pod)
                            .flatMap(node -> Optional.ofNullable(domainOf.get(node.name())))
                            .ifPresent(domain -> counts.merge(domain, 1, Integer::sum));
                }
            }
        }
        return counts;
    }

    private Map<String, String> domainOfNodes(SpreadDomains constraint) {
        Predicate<Node> eligible = constraint.eligibility().matcher();
        Map<String, String> domainOf = new HashMap<>();
        for (Node node : view.nodes()) {
            if (eligible.test(node)) {
                node.labels().get(constraint.topologyKey()).ifPresent(domain -> domainOf.put(node.name(), domain));
            }
        }
        return domainOf;
    }
}
