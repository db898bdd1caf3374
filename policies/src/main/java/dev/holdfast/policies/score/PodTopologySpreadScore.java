package dev.holdfast.policies.score;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.NodeEligibility;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * The soft spread constraints of a pod, or the default constraints if it has none at all. A node loses by the matching
 * pods in its domain: the fewer, the better. A node that lacks a key of one of the pod's constraints has the score 0.
 *
 * <p>Each constraint adds {@code count * ln(domains + 2) + maxSkew - 1}, so more domains make the same difference weigh
 * more. Only feasible nodes form domains, but pods on all nodes count.
 *
 * <p>Example: 3, 1 and 0 matching pods in three zones, with maxSkew 1. The sums are 4.83, 1.61 and 0, rounded 5, 2 and
 * 0. The scores are 100 * (5 + 0 - 5) / 5 = 0, 60 and 100.
 */
final class PodTopologySpreadScore {
    private final Choice choice;
    private final List<String> requiredKeys;
    private final List<Node> complete;

    private PodTopologySpreadScore(Choice choice, List<String> requiredKeys) {
        this.choice = choice;
        this.requiredKeys = requiredKeys;
        this.complete = choice.feasible().stream().filter(this::isComplete).toList();
    }

    static PluginResult of(Choice choice, SpreadDefaults defaults) {
        List<TopologySpreadConstraint> constraints = defaults.softConstraintsOf(choice.pod());
        if (constraints.isEmpty()) {
            return new PluginResult.Skipped();
        }
        List<String> keys =
                constraints.stream().map(TopologySpreadConstraint::topologyKey).toList();
        PodTopologySpreadScore score = new PodTopologySpreadScore(
                choice, defaults.everyNode() && defaults.haveEffectOn(choice.pod()) ? List.of() : keys);
        List<Spread> spreads = new ArrayList<>();
        for (TopologySpreadConstraint constraint : constraints) {
            switch (LabelMatcher.of(constraint.selectorFor(choice.pod().labels()))) {
                case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) ->
                    spreads.add(score.spread(constraint, score.matching(matcher)));
                case ParseResult.Unusable<LabelMatcher>(String why) -> {
                    return new PluginResult.Failed(constraint.toString(), "`labelSelector` " + why);
                }
            }
        }
        return score.scored(spreads);
    }

    private boolean isComplete(Node node) {
        for (String key : requiredKeys) {
            if (!node.labels().has(key)) {
                return false;
            }
        }
        return true;
    }

    /**
     * A constraint with its counts.
     *
     * @param domains the number of domains of the feasible nodes
     * @param counts the matching pods by the value of the key, or by the name of the node if {@code byNode}
     */
    private record Spread(TopologySpreadConstraint constraint, int domains, Map<String, Long> counts, boolean byNode) {
        double on(Node node) {
            Optional<String> domain = node.labels().get(constraint.topologyKey());
            if (domain.isEmpty()) {
                return 0;
            }
            long count = counts.getOrDefault(byNode ? node.name() : domain.get(), 0L);
            return count * Math.log(domains + 2.0) + (constraint.maxSkew() - 1);
        }
    }

    private Spread spread(TopologySpreadConstraint constraint, Map<String, Long> matching) {
        if (constraint.topologyKey().equals(PodAffinityTerm.HOSTNAME)) {
            return new Spread(constraint, complete.size(), matching, true);
        }
        Map<String, Long> counts = new HashMap<>();
        complete.forEach(node -> counts.put(domain(node, constraint), 0L));
        Predicate<Node> counted = counted(constraint);
        matching.forEach((name, count) -> choice.view()
                .node(name)
                .filter(counted)
                .ifPresent(node -> counts.computeIfPresent(domain(node, constraint), (_, others) -> others + count)));
        return new Spread(constraint, counts.size(), counts, false);
    }

    /** {@return the value of the constraint's key; a node without the key counts only if no key is required} */
    private static String domain(Node node, TopologySpreadConstraint constraint) {
        return node.labels().get(constraint.topologyKey()).orElse("");
    }

    /** {@return a test whether the pods on a node count, by its keys and the inclusion policies (TS-5)} */
    private Predicate<Node> counted(TopologySpreadConstraint constraint) {
        NodeEligibility policies = NodeEligibility.ofSpread(
                new Rule.TopologySpread(constraint, List.of()), choice.pod().scheduling());
        return new NodeEligibility(requiredKeys, policies.nodes(), policies.tolerations()).matcher();
    }

    /** {@return the number of matching pods on each node that has any; none if the selector is <code>{}</code>} */
    private Map<String, Long> matching(LabelMatcher matcher) {
        Map<String, Long> matching = new HashMap<>();
        if (!matcher.matchesEverything()) {
            for (Pod other : choice.view().podsIn(choice.pod().namespace(), matcher)) {
                if (choice.isOther(other) && !other.terminating()) {
                    other.nodeName().ifPresent(node -> matching.merge(node, 1L, Long::sum));
                }
            }
        }
        return matching;
    }

    private PluginResult scored(List<Spread> spreads) {
        List<Long> raw = choice.feasible().stream()
                .map(node -> isComplete(node) ? sum(spreads, node) : 0)
                .toList();
        long least = sums(spreads).min().orElse(0);
        long greatest = sums(spreads).max().orElse(0);
        List<Long> scores = new ArrayList<>();
        for (int i = 0; i < raw.size(); i++) {
            scores.add(isComplete(choice.feasible().get(i)) ? score(raw.get(i), least, greatest) : 0);
        }
        return new PluginResult.Scored(raw, scores);
    }

    private LongStream sums(List<Spread> spreads) {
        return complete.stream().mapToLong(node -> sum(spreads, node));
    }

    private static long sum(List<Spread> spreads, Node node) {
        double sum = 0;
        for (Spread spread : spreads) {
            sum += spread.on(node);
        }
        return Math.round(sum);
    }

    private static long score(long raw, long least, long greatest) {
        return greatest == 0
                ? Normalisation.GREATEST_SCORE
                : Normalisation.GREATEST_SCORE * (greatest + least - raw) / greatest;
    }
}
