package dev.holdfast.policies.plan.place;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.Infeasibility;
import dev.holdfast.policies.plan.capacity.PendingMoves;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.NewDomains;
import dev.holdfast.policies.plan.situation.Situation;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A spread is evened out for a new domain only as a whole: the first pod is moved when all that the skew needs to move find
 * a place, one after the other, those before them counted in. Else a service would be shuffled and be as uneven after that.
 *
 * <p>Example: [4,0], maxSkew 1, needs two. Where the new zone has room for one more pod, nobody is moved.
 */
final class RebalancePlacement {
    private final Candidate candidate;
    private final Rule.TopologySpread rule;
    private final LabelMatcher counted;

    private RebalancePlacement(Candidate candidate, Rule.TopologySpread rule, LabelMatcher counted) {
        this.candidate = candidate;
        this.rule = rule;
        this.counted = counted;
    }

    /**
     * {@return where the candidate would land; nowhere where it is moved for a new domain and one that must follow has no
     * place}
     *
     * @param first what came of looking for a place for the candidate alone
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
                                RebalancePlacement::obstacle)
                : first;
    }

    private static Infeasibility obstacle(AllOrNothingPlacement.Missing missing) {
        return new Infeasibility(
                Reason.DOMAIN_ADDED,
                "there is a place for " + missing.seated()
                        + " of the pods that have to move to even out the new domain, and they move"
                        + " all or none; for the next, " + missing.next().message());
    }

    /** {@return one of the domain with most pods, if that has too many still: if none of these has to move, nobody has} */
    private Optional<Candidate> next(Situation situation) {
        PendingMoves pendingMoves = PendingMoves.of(situation.moves());
        ClusterView kept = pendingMoves.keptIn(situation.view());
        Map<String, List<Pod>> byDomain = new TreeMap<>();
        for (Pod pod : kept.podsIn(candidate.pod().namespace(), counted::matches)) {
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
                .map(candidate::like);
    }

    private Optional<String> domain(Pod pod, ClusterView view) {
        Optional<Node> node = view.nodeCounting(pod);
        return node.flatMap(it -> it.labels().get(rule.constraint().topologyKey()));
    }
}
