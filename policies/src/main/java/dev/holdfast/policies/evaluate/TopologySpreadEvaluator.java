package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.NodeEligibility;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.SpreadDomains;
import dev.holdfast.policies.rule.UnusableDomains;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.NodeMatcher;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TolerationMatcher;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates one hard topology spread constraint (TS-1 to TS-14, X-5): {@code others + self - least <= maxSkew}. Others
 * is the number of other matching pods in the node's domain. Self is 1 if the pod matches its own selector, else 0.
 * Least is the smallest number of other matching pods in any domain, or 0 with fewer than minDomains domains.
 *
 * <p>Only eligible nodes form domains, and only pods on eligible nodes count. A node is eligible if it has every
 * required key (TS-4) and both inclusion policies include the node (TS-5). A pod on an ineligible node is still
 * evaluated with the counts of the node's domain (TS-6).
 *
 * <p>Example: [3,1], that is 3 and 1 matching pods in two zones, with maxSkew 1. A pod of the first zone: 2 others + 1
 * - 1 = 2 > 1, violated. After one pod has moved, [2,2]: 1 + 1 - 2 = 0, satisfied.
 */
final class TopologySpreadEvaluator implements SpreadSkew {
    private final TopologySpreadConstraint constraint;
    private final Map<Domain, Integer> counts;
    private final int self;

    /** The smallest number of other matching pods in any domain; 0 without domains. */
    private final int fewest;

    private final int least;
    private final SpreadDomains counting;
    private final NodeEligibility usable;
    private final ClusterView view;

    /** Where the least comes from; null until the first violation needs it, because it reads each domain. */
    private @Nullable LeastCount leastCount;

    private TopologySpreadEvaluator(
            Rule.TopologySpread rule, Map<Domain, Integer> counts, int self, Scheduling pod, ClusterView view) {
        this.constraint = rule.constraint();
        this.counting = SpreadDomains.of(rule, pod);
        this.usable = NodeEligibility.ofPod(pod);
        this.view = view;
        this.counts = counts;
        this.self = self;
        this.fewest = counts.isEmpty() ? 0 : Collections.min(counts.values());
        this.least = counts.size() < constraint.minDomains() ? 0 : fewest;
    }

    static NodeFilter prepare(Rule.TopologySpread rule, Pod pod, ClusterView view) {
        return switch (parsed(rule, pod, view)) {
            case ParseResult.Unusable<TopologySpreadEvaluator>(String why) ->
                _ -> new Verdict.Undetermined(Reason.UNPARSABLE_RULE, why);
            case ParseResult.Usable<TopologySpreadEvaluator>(TopologySpreadEvaluator evaluator) -> evaluator;
        };
    }

    static ParseResult<TopologySpreadEvaluator> parsed(Rule.TopologySpread rule, Pod pod, ClusterView view) {
        return switch (LabelMatcher.of(rule.constraint().selectorFor(pod.labels()))) {
            case ParseResult.Unusable<LabelMatcher>(String why) -> new ParseResult.Unusable<>("`labelSelector` " + why);
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) -> {
                int self = matcher.matches(pod.labels()) ? 1 : 0;
                yield new ParseResult.Usable<>(new TopologySpreadEvaluator(
                        rule, counts(rule, matcher, pod, view), self, pod.scheduling(), view));
            }
        };
    }

    private static Map<Domain, Integer> counts(
            Rule.TopologySpread rule, LabelMatcher matcher, Pod pod, ClusterView view) {
        Map<Domain, Integer> counts = new HashMap<>();
        count(
                rule,
                matcher,
                pod,
                view,
                domain -> counts.put(domain, 0),
                (domain, _) -> counts.merge(domain, 1, Integer::sum));
        return counts;
    }

    /** Passes on each domain, and then each other pod that counts with its domain. */
    private static void count(
            Rule.TopologySpread rule,
            LabelMatcher matcher,
            Pod pod,
            ClusterView view,
            Consumer<Domain> domains,
            BiConsumer<Domain, Pod> others) {
        Predicate<Node> eligible = eligible(rule, pod);
        for (Node node : view.nodes()) {
            if (eligible.test(node)) {
                Domain.of(node, rule.constraint().topologyKey()).ifPresent(domains);
            }
        }
        if (matcher.matchesEverything()) {
            // With the selector `{}` the scheduler counts no other pods, though the pod itself matches (TS-11).
            return;
        }
        for (Pod other : view.podsIn(pod.namespace(), matcher)) {
            if (!other.terminating() && !other.uid().equals(pod.uid())) {
                view.countedNode(other)
                        .filter(eligible)
                        .flatMap(node -> Domain.of(node, rule.constraint().topologyKey()))
                        .ifPresent(domain -> others.accept(domain, other));
            }
        }
    }

    /** Passes on each domain, and each pod that counts, with the pod itself. Returns the topology keys of the rule. */
    static List<String> count(
            Rule.TopologySpread rule,
            Pod pod,
            ClusterView view,
            Consumer<Domain> domains,
            BiConsumer<Domain, Pod> pods) {
        String key = rule.constraint().topologyKey();
        if (LabelMatcher.of(rule.constraint().selectorFor(pod.labels()))
                instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher matcher)) {
            count(rule, matcher, pod, view, domains, pods);
            if (matcher.matches(pod.labels())) {
                pod.nodeName()
                        .flatMap(view::node)
                        .flatMap(node -> Domain.of(node, key))
                        .ifPresent(domain -> pods.accept(domain, pod));
            }
        }
        return List.of(key);
    }

    private static Predicate<Node> eligible(Rule.TopologySpread rule, Pod pod) {
        TopologySpreadConstraint constraint = rule.constraint();
        Predicate<Node> eligible = node -> rule.requiredKeys().stream().allMatch(node.labels()::has);
        if (constraint.nodeAffinityPolicy() == NodeInclusionPolicy.HONOR) {
            eligible = eligible.and(NodeMatcher.of(
                    pod.scheduling().nodeSelector(), pod.scheduling().nodeAffinity())::matches);
        }
        if (constraint.nodeTaintsPolicy() == NodeInclusionPolicy.HONOR) {
            TolerationMatcher tolerations =
                    new TolerationMatcher(pod.scheduling().tolerations());
            eligible = eligible.and(node -> tolerations.repelledBy(node).isEmpty());
        }
        return eligible;
    }

    @Override
    public boolean accepts(Node node) {
        return Domain.of(node, constraint.topologyKey())
                .filter(domain -> isWithinSkew(counts.getOrDefault(domain, 0)))
                .isPresent();
    }

    @Override
    public OptionalInt skew(Node node) {
        return Domain.of(node, constraint.topologyKey()).stream()
                .mapToInt(domain -> counts.getOrDefault(domain, 0) + self - least)
                .findFirst();
    }

    @Override
    public int least() {
        return self;
    }

    @Override
    public int greatest() {
        return self
                + counts.values().stream()
                        .mapToInt(count -> count - least)
                        .max()
                        .orElse(0);
    }

    private boolean isWithinSkew(int others) {
        return others + self - least <= constraint.maxSkew();
    }

    @Override
    public Verdict on(Node node) {
        Optional<Domain> domain = Domain.of(node, constraint.topologyKey());
        if (domain.isEmpty()) {
            return Verdict.violated(new ViolationDetail.NoTopologyKey(node.name(), constraint.topologyKey()));
        }
        int others = counts.getOrDefault(domain.get(), 0);
        if (isWithinSkew(others)) {
            return Verdict.satisfied();
        }
        return Verdict.violated(new ViolationDetail.Skew(
                constraint.topologyKey(), domain.get().value(), others, self, leastCount(), constraint.maxSkew()));
    }

    private LeastCount leastCount() {
        LeastCount known = leastCount;
        if (known == null) {
            known = findLeastCount();
            leastCount = known;
        }
        return known;
    }

    private LeastCount findLeastCount() {
        if (counts.size() < constraint.minDomains()) {
            return new LeastCount.OfTooFewDomains(
                    counts.size(),
                    constraint.minDomains(),
                    UnusableDomains.leftOut(counting, view.nodes()),
                    fewest + self > constraint.maxSkew());
        }
        List<String> smallest = counts.entrySet().stream()
                .filter(domain -> domain.getValue() == least)
                .map(domain -> domain.getKey().value())
                .sorted()
                .toList();
        UnusableDomains.Usability named = UnusableDomains.firstUsable(
                smallest.isEmpty() ? "" : smallest.getFirst(), () -> smallest, counting, usable, view.nodes());
        return new LeastCount.OfDomain(named.domain(), least, named.keptOff());
    }
}
