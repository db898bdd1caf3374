package dev.holdfast.policies.plan.feasibility;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds policies whose rules cannot all hold for a pod now. Every node that satisfies the broken rule and the rules in
 * the pod's spec violates a rule of another policy. Without that other rule, a node would take the pod.
 *
 * <p>Example: one policy requires nodes with an SSD, another keeps the pod away from batch pods. If batch pods run on
 * all nodes with an SSD in the pod's node pool, the policies contradict each other. If one of these nodes runs no batch
 * pod but is full, the policies do not contradict each other.
 */
final class Contradiction {
    /** The maximum number of policies to test one by one: each test costs as much as a whole feasibility check. */
    private static final int MOST_POLICIES = 3;

    private Contradiction() {}

    /**
     * {@return a result without a node; if policies contradict each other, its reason says so}
     *
     * @param failed the result of the search with all rules, which found no node
     */
    static Feasibility.Search among(Candidate candidate, Situation situation, Feasibility.Search failed) {
        List<List<PolicyId>> suspects = suspects(candidate);
        if (suspects.isEmpty()) {
            return failed;
        }
        int tried = failed.tried();
        for (List<PolicyId> policies : suspects) {
            tried += situation.view().nodes().size();
            if (excludesAll(candidate.rulesAddedBy(policies), candidate, situation)) {
                Feasibility.Search without = Feasibility.fit(candidate.without(policies), situation);
                tried += without.tried();
                // Even without these policies, the move may break as many rules of other pods as it heals.
                Optional<Infeasibility> infeasibility = without.target()
                        .map(node -> between(candidate, policies, node))
                        .or(() -> without.against().filter(it -> it.reason() == Reason.TRADES_VIOLATIONS));
                if (infeasibility.isPresent()) {
                    return new Feasibility.Search(Optional.empty(), tried, infeasibility);
                }
            }
        }
        return new Feasibility.Search(Optional.empty(), tried, failed.against());
    }

    /**
     * {@return the sets of policies to test: of the policies that add rules to the pod, each of the first three alone,
     * then all together}
     */
    private static List<List<PolicyId>> suspects(Candidate candidate) {
        List<PolicyId> all = candidate.further().stream()
                .flatMap(rule -> rule.requests().stream())
                .map(AppliedRule.Request::policy)
                .distinct()
                .filter(policy -> !candidate.rulesAddedBy(List.of(policy)).isEmpty())
                .sorted()
                .toList();
        Stream<List<PolicyId>> alone = all.stream().limit(MOST_POLICIES).map(List::of);
        return all.size() < 2
                ? alone.toList()
                : Stream.concat(alone, Stream.of(all)).toList();
    }

    /**
     * {@return whether no node satisfies the broken rule, the rules in the pod's spec and the given rules at the same
     * time}
     */
    private static boolean excludesAll(List<Rule> rules, Candidate candidate, Situation situation) {
        Pod pod = candidate.replacement(situation.view());
        List<NodeFilter> nodeFilters = Stream.of(
                        Stream.of(candidate.rule()), PodRules.of(pod.scheduling()).stream(), rules.stream())
                .flatMap(Function.identity())
                .distinct()
                .map(rule -> Evaluator.prepare(rule, pod, situation.view()))
                .toList();
        return situation.view().nodes().stream().noneMatch(node -> satisfiesAll(nodeFilters, node));
    }

    private static boolean satisfiesAll(List<NodeFilter> nodeFilters, Node node) {
        return nodeFilters.stream().allMatch(nodeFilter -> nodeFilter.accepts(node));
    }

    private static Infeasibility between(Candidate candidate, List<PolicyId> others, String node) {
        PolicyId asking = candidate.requestingPolicy().policy();
        List<String> all = Stream.concat(Stream.of(asking), others.stream())
                .distinct()
                .map(PolicyId::toString)
                .toList();
        String brought =
                candidate.rulesAddedBy(others).stream().map(Rule::describe).collect(Collectors.joining("; or "));
        String satisfied = "every node that satisfies " + candidate.rule().describe()
                + (PodRules.of(candidate.pod().scheduling()).isEmpty() ? "" : " and the pod's own rules")
                + " breaks ";
        String otherwise = "; without that, node " + node + " would take it";
        boolean ofTenant = Stream.concat(Stream.of(asking), others.stream())
                .allMatch(policy ->
                        policy.namespace().equals(Optional.of(candidate.pod().namespace())));
        return new Infeasibility(
                Reason.CONTRADICTS,
                who(all) + satisfied + brought + otherwise,
                ofTenant
                        ? Optional.empty()
                        : Optional.of("the rule and those of other policies cannot all hold for the pod: " + satisfied
                                + "a rule of another policy" + otherwise));
    }

    private static String who(List<String> policies) {
        String last = policies.getLast();
        return switch (policies.size()) {
            case 1 -> "the rules of policy " + last + " cannot all hold for the pod: ";
            case 2 -> "policies " + policies.getFirst() + " and " + last + " cannot both hold for the pod: ";
            default ->
                "policies " + String.join(", ", policies.subList(0, policies.size() - 1)) + " and " + last
                        + " cannot all hold for the pod: ";
        };
    }
}
