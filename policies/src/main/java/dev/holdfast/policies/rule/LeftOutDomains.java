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
import java.util.stream.Collectors;

/** The domains that a spread constraint does not count, because none of their nodes is eligible, and why. */
public final class LeftOutDomains {
    private static final int MOST_NAMED = 3;

    private LeftOutDomains() {}

    /**
     * {@return the domains that are left out, sorted: {@code c (node affinity), d (taint gpu:NoSchedule)}; empty if
     * there are none}
     */
    public static String describe(SpreadDomains spreadDomains, Collection<Node> nodes) {
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
