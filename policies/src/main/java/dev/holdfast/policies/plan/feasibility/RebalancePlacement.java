package dev.holdfast.policies.plan.feasibility;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.capacity.PendingMoves;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.NewDomains;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.rule.NodeEligibility;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Finds nodes for pods that move into a new domain of a topology spread. The first pod moves only if there is a node
 * for each pod that must move until the spread holds. Otherwise some pods would move, and the spread would still be
 * broken.
 *
 * <p>Example: zone a has 4 pods, the new zone b has none, and maxSkew is 1. Two pods must move, to [2,2]. If zone b has
 * room for only one, no pod moves.
 */
final class RebalancePlacement {
    private final Candidate candidate;
    private final Rule.TopologySpread rule;
    private final LabelMatcher counted;
    private final Predicate<Node> eligible;

    private RebalancePlacement(Candidate candidate, Rule.TopologySpread rule, LabelMatcher counted) {
        this.candidate = candidate;
        this.rule = rule;
        this.counted = counted;
        this.eligible =
                NodeEligibility.ofSpread(rule, candidate.pod().scheduling()).matcher();
    }

    /**
     * {@return the node for the candidate; no node if a pod that must follow the candidate into a new domain has none}
     *
     * @param first the result for the candidate alone
     */
    static Feasibility.Search search(Candidate candidate, Feasibility.Search first, Situation situation) {
        return NewDomains.rebalances(candidate, situation)
                        && candidate.rule() instanceof Rule.TopologySpread rule
                        && LabelMatcher.of(rule.constraint()
                                        .selectorFor(candidate.pod().labels()))
                                instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher counted)
                ? new AllOrNothingPlacement(situation)
                        .after(
                                candidate,
                                first,
                                new RebalancePlacement(candidate, rule, counted)::next,
                                RebalancePlacement::infeasibility)
                : first;
    }

    private static Infeasibility infeasibility(AllOrNothingPlacement.Missing missing) {
        return missing.next()
                .after(
                        Reason.DOMAIN_ADDED,
                        "there are nodes for only " + missing.placed()
                                + " of the pods that must move to even out the new domain, and"
                                + " either all of them move or none; for the next pod, ");
    }

    /**
     * {@return the next pod to move, from the domain with the most pods on eligible nodes; empty if the spread holds
     * for that pod, so that no further pod must move}
     */
    private Optional<Candidate> next(Situation situation) {
        PendingMoves pendingMoves = PendingMoves.of(situation.moves(), situation.view());
        ClusterView kept = pendingMoves.keptIn(situation.view());
        Map<String, List<Pod>> byDomain = new TreeMap<>();
        for (Pod pod : kept.podsIn(candidate.pod().namespace(), counted)) {
            if (!pod.terminating()) {
                domain(pod, kept)
                        .ifPresent(domain -> byDomain.computeIfAbsent(domain, _ -> new ArrayList<>())
                                .add(pod));
            }
        }
        return byDomain.values().stream()
                .max(Comparator.comparingInt(List::size))
                .flatMap(pods -> pods.stream()
                        .filter(pod -> !pendingMoves.leaving().contains(pod.uid()))
                        .min(Comparator.comparing(Pod::uid)))
                .filter(pod -> Evaluator.judge(rule, pod, kept) instanceof Verdict.Violated)
                .map(candidate::forPod);
    }

    private Optional<String> domain(Pod pod, ClusterView view) {
        Optional<Node> node = view.countedNode(pod);
        return node.filter(eligible)
                .flatMap(it -> it.labels().get(rule.constraint().topologyKey()));
    }
}
