package dev.holdfast.policies.rule;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.selector.NodeMatcher;
import dev.holdfast.policies.selector.TolerationMatcher;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The domains of a topologyKey that a pod cannot use, and why: a spread constraint leaves some of them out, and counts
 * the others because of its inclusion policies.
 */
public final class UnusableDomains {
    private static final int MOST_NAMED = 3;

    private UnusableDomains() {}

    /**
     * {@return the domains that are left out because none of their nodes is eligible, sorted: {@code c (node affinity),
     * d (taint gpu:NoSchedule)}; empty if there are none}
     */
    public static String leftOut(SpreadDomains spreadDomains, Collection<Node> nodes) {
        NodeEligibility eligibility = spreadDomains.eligibility();
        Predicate<Node> eligible = eligibility.matcher();
        Optional<NodeMatcher> rules = eligibility.nodes().map(it -> NodeMatcher.of(it.nodeSelector(), it.affinity()));
        Optional<TolerationMatcher> tolerations = eligibility.tolerations().map(TolerationMatcher::new);
        Set<String> counted = new HashSet<>();
        Map<String, Set<String>> leftOut = new TreeMap<>();
        for (Node node : nodes) {
            node.labels().get(spreadDomains.topologyKey()).ifPresent(domain -> {
                if (eligible.test(node)) {
                    counted.add(domain);
                } else if (!counted.contains(domain)) {
                    leftOut.computeIfAbsent(domain, _ -> new TreeSet<>())
                            .add(why(node, eligibility.requiredKeys(), rules, tolerations));
                }
            });
        }
        leftOut.keySet().removeAll(counted);
        String named = leftOut.entrySet().stream()
                .limit(MOST_NAMED)
                .map(domain -> QuotedText.value(domain.getKey()) + " (" + why(domain.getValue()) + ")")
                .collect(Collectors.joining(", "));
        int more = leftOut.size() - MOST_NAMED;
        return more > 0 ? named + " and " + more + " more" : named;
    }

    /** A domain, and what keeps the pod off all its nodes, as text; empty if it can use one of them. */
    public record Usability(String domain, String keptOff) {}

    /**
     * {@return the first of some counted domains that the pod can use; or else the first of all, with why it cannot}
     *
     * @param first the first of the domains
     * @param domains all of them, sorted; read only if the pod cannot use the first
     * @param pod the nodes that the pod can use
     */
    public static Usability firstUsable(
            String first,
            Supplier<List<String>> domains,
            SpreadDomains counting,
            NodeEligibility pod,
            Collection<Node> nodes) {
        if (counting.eligibility().isWithin(pod)) {
            return new Usability(first, "");
        }
        Predicate<Node> usable = counting.eligibility().matcher().and(pod.matcher());
        if (nodes.stream().anyMatch(node -> node.labels().has(counting.topologyKey(), first) && usable.test(node))) {
            return new Usability(first, "");
        }
        Set<String> open = nodes.stream()
                .filter(usable)
                .flatMap(node -> node.labels().get(counting.topologyKey()).stream())
                .collect(Collectors.toSet());
        return domains.get().stream()
                .filter(open::contains)
                .findFirst()
                .map(domain -> new Usability(domain, ""))
                .orElseGet(() -> new Usability(first, keptOff(first, counting, pod, nodes)));
    }

    private static String keptOff(String domain, SpreadDomains counting, NodeEligibility pod, Collection<Node> nodes) {
        Predicate<Node> eligible = counting.eligibility().matcher();
        Optional<NodeMatcher> rules = pod.nodes().map(it -> NodeMatcher.of(it.nodeSelector(), it.affinity()));
        Optional<TolerationMatcher> tolerations = pod.tolerations().map(TolerationMatcher::new);
        Set<String> reasons = nodes.stream()
                .filter(node -> node.labels().has(counting.topologyKey(), domain) && eligible.test(node))
                .map(node -> rules.filter(it -> !it.matches(node)).isPresent()
                        ? "node affinity (nodeAffinityPolicy is Ignore)"
                        : why(node, List.of(), rules, tolerations) + " (nodeTaintsPolicy is Ignore)")
                .collect(Collectors.toCollection(TreeSet::new));
        return reasons.isEmpty() ? "" : why(reasons);
    }

    private static String why(Set<String> reasons) {
        int more = reasons.size() - 1;
        return reasons.iterator().next()
                + (more > 0 ? " and " + more + (more == 1 ? " more reason" : " more reasons") : "");
    }

    private static String why(
            Node node, List<String> keys, Optional<NodeMatcher> rules, Optional<TolerationMatcher> tolerations) {
        Optional<String> missing =
                keys.stream().filter(key -> !node.labels().has(key)).findFirst();
        if (missing.isPresent()) {
            return "no label " + QuotedText.of(missing.get());
        }
        return rules.filter(it -> !it.matches(node)).isPresent()
                ? "node affinity"
                : tolerations
                        .flatMap(it -> it.repelledBy(node))
                        .map(taint -> "taint " + QuotedText.of(taint.toString()))
                        .orElse("taints");
    }
}
