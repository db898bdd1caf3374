package dev.holdfast.policies.plan.place;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Policies that cannot all hold for a pod now: every node that satisfies the broken rule and those of the pod's own spec
 * breaks what the other brings, and without that a node would take the pod.
 *
 * <p>Example: one policy wants nodes with an SSD, another wants the pod apart from batch pods, and there are batch pods on all
 * nodes with an SSD of the pod's pool. Where there is one without, and it is full, the two do not contradict each other.
 */
final class Contradiction {
    /** To look for a place without what a policy brings takes as long as to look for one. */
    private static final int MOST_POLICIES = 3;

    private Contradiction() {}

    /** {@return what looking for a place came to, with the policies for the reason if they are} */
    static Feasibility.Search among(Candidate candidate, Situation situation, Feasibility.Search inVain) {
        int tried = inVain.tried();
        for (List<PolicyId> policies : suspects(candidate)) {
            tried += situation.view().nodes().size();
            if (excludesAll(candidate.broughtBy(policies), candidate, situation)) {
                Feasibility.Search without = Feasibility.firstFit(candidate.without(policies), situation);
                tried += without.tried();
                // Without the policies, too, the only places may be those where others would be worse off.
                Optional<Infeasibility> infeasibility = without.target()
                        .map(node -> between(candidate, policies, node))
                        .or(() -> without.against().filter(it -> it.reason() == Reason.TRADES_VIOLATIONS));
                if (infeasibility.isPresent()) {
                    return new Feasibility.Search(Optional.empty(), tried, infeasibility);
                }
            }
        }
        return new Feasibility.Search(Optional.empty(), tried, inVain.against());
    }

    /** {@return the policies that bring rules of their own, the first ones alone and then all of them together} */
    private static List<List<PolicyId>> suspects(Candidate candidate) {
        List<PolicyId> all = candidate.further().stream()
                .flatMap(rule -> rule.asks().stream())
                .map(HeldRule.Ask::policy)
                .distinct()
                .filter(policy -> !candidate.broughtBy(List.of(policy)).isEmpty())
                .sorted()
                .toList();
        Stream<List<PolicyId>> alone = all.stream().limit(MOST_POLICIES).map(List::of);
        return all.size() < 2
                ? alone.toList()
                : Stream.concat(alone, Stream.of(all)).toList();
    }

    /** {@return whether no node at all satisfies the broken rule, the pod's own and these, whatever else speaks against it} */
    private static boolean excludesAll(List<Rule> rules, Candidate candidate, Situation situation) {
        Pod pod = candidate.pod();
        List<NodeFilter> nodeFilters = Stream.of(
                        Stream.of(candidate.rule()), PodRules.of(pod.scheduling()).stream(), rules.stream())
                .flatMap(Function.identity())
                .distinct()
                .map(rule -> Evaluator.prepare(rule, pod, situation.view()))
                .toList();
        return situation.view().nodes().stream().noneMatch(node -> satisfiesAll(nodeFilters, node));
    }

    private static boolean satisfiesAll(List<NodeFilter> nodeFilters, Node node) {
        return nodeFilters.stream().allMatch(nodeFilter -> nodeFilter.on(node) instanceof Verdict.Satisfied);
    }

    private static Infeasibility between(Candidate candidate, List<PolicyId> others, String node) {
        PolicyId asking = candidate.requestingPolicy().policy();
        List<String> all = Stream.concat(Stream.of(asking), others.stream())
                .distinct()
                .map(PolicyId::toString)
                .toList();
        String brought =
                candidate.broughtBy(others).stream().map(Rule::describe).collect(Collectors.joining("; or "));
        return new Infeasibility(
                Reason.CONTRADICTS,
                who(all) + "every node that satisfies " + candidate.rule().describe()
                        + (PodRules.of(candidate.pod().scheduling()).isEmpty() ? "" : " and the pod's own rules")
                        + " breaks "
                        + brought
                        + "; without that " + node + " would take it");
    }

    private static String who(List<String> policies) {
        String last = policies.getLast();
        return switch (policies.size()) {
            case 1 -> "what policy " + last + " asks for cannot all hold for the pod: ";
            case 2 -> "policies " + policies.getFirst() + " and " + last + " cannot both hold for the pod: ";
            default ->
                "policies " + String.join(", ", policies.subList(0, policies.size() - 1)) + " and " + last
                        + " cannot all hold for the pod: ";
        };
    }
}
