package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Judgement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
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
 * Two policies that cannot both hold for a pod now: every node that satisfies the broken rule and those of the pod's own spec
 * breaks what the other policy brings, and without that a node would take the pod.
 *
 * <p>Example: one policy wants nodes with an SSD, another wants the pod apart from batch pods, and there are batch pods on all
 * nodes with an SSD of the pod's pool. Where there is one without, and it is full, the two do not contradict each other.
 */
final class Contradiction {
    /** To look for a place without what a policy brings takes as long as to look for one. */
    private static final int MOST_POLICIES = 3;

    private Contradiction() {}

    /** {@return what looking for a place came to, with two policies for the reason if they are} */
    static Feasibility.Search among(Candidate candidate, Situation situation, Feasibility.Search inVain) {
        List<PolicyId> policies = candidate.further().stream()
                .flatMap(rule -> rule.asks().stream())
                .map(HeldRule.Ask::policy)
                .distinct()
                .filter(policy -> !candidate.broughtBy(policy).isEmpty())
                .sorted()
                .limit(MOST_POLICIES)
                .toList();
        int tried = inVain.tried();
        for (PolicyId policy : policies) {
            tried += situation.view().nodes().size();
            if (excludesAll(candidate.broughtBy(policy), candidate, situation)) {
                Feasibility.Search without = Feasibility.firstFit(candidate.without(policy), situation);
                tried += without.tried();
                if (without.target().isPresent()) {
                    return new Feasibility.Search(
                            Optional.empty(),
                            tried,
                            Optional.of(
                                    between(candidate, policy, without.target().get())));
                }
            }
        }
        return new Feasibility.Search(Optional.empty(), tried, inVain.against());
    }

    /** {@return whether no node at all satisfies the broken rule, the pod's own and these, whatever else speaks against it} */
    private static boolean excludesAll(List<Rule> rules, Candidate candidate, Situation situation) {
        Pod pod = candidate.pod();
        List<Judgement> judgements = Stream.of(
                        Stream.of(candidate.rule()), PodRules.of(pod.scheduling()).stream(), rules.stream())
                .flatMap(Function.identity())
                .distinct()
                .map(rule -> Evaluator.prepare(rule, pod, situation.view()))
                .toList();
        return situation.view().nodes().stream().noneMatch(node -> satisfiesAll(judgements, node));
    }

    private static boolean satisfiesAll(List<Judgement> judgements, Node node) {
        return judgements.stream().allMatch(judgement -> judgement.on(node) instanceof Verdict.Satisfied);
    }

    private static Obstacle between(Candidate candidate, PolicyId other, String node) {
        PolicyId asking = candidate.asker().policy();
        String who = asking.equals(other)
                ? "what policy " + asking + " asks for cannot all hold for the pod: "
                : "policies " + asking + " and " + other + " cannot both hold for the pod: ";
        String brought = candidate.broughtBy(other).stream().map(Rule::describe).collect(Collectors.joining("; "));
        return new Obstacle(
                Reason.CONTRADICTS,
                who + "every node that satisfies " + candidate.rule().describe()
                        + (PodRules.of(candidate.pod().scheduling()).isEmpty() ? "" : " and the pod's own rules")
                        + " breaks "
                        + brought
                        + "; without that " + node + " would take it");
    }
}
