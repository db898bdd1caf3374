package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.Parsed;
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
final class Surplus {
    /** For no more than so many places are looked for: they take a long time to be moved, and it is asked again for each. */
    private static final int MOST = 50;

    private final Candidate candidate;
    private final Situation situation;
    private final Rule.TopologySpread rule;
    private final LabelMatcher counted;
    private final Moves moves;

    private Surplus(Candidate candidate, Rule.TopologySpread rule, LabelMatcher counted, Situation situation) {
        this.candidate = candidate;
        this.rule = rule;
        this.counted = counted;
        this.moves = situation.moves().copy();
        this.situation = situation.with(moves);
    }

    /** {@return where the candidate would land; nowhere where it is moved for a new domain and one that must follow has no place} */
    static Feasibility.Search search(Candidate candidate, Situation situation) {
        Feasibility.Search first = Feasibility.search(candidate, situation);
        return first.target().isPresent()
                        && DomainAddedCheck.rebalances(candidate, situation)
                        && candidate.rule() instanceof Rule.TopologySpread rule
                        && LabelMatcher.of(rule.constraint()
                                        .selectorFor(candidate.pod().labels()))
                                instanceof Parsed.Usable<LabelMatcher>(LabelMatcher counted)
                ? new Surplus(candidate, rule, counted, situation).after(first)
                : first;
    }

    private Feasibility.Search after(Feasibility.Search first) {
        Feasibility.Search last = first;
        Optional<Candidate> one = Optional.of(candidate);
        int tried = first.tried();
        int seated = 0;
        while (one.isPresent() && seated < MOST) {
            if (last.target().isEmpty()) {
                return new Feasibility.Search(
                        Optional.empty(),
                        tried,
                        Optional.of(obstacle(seated, last.against().orElseThrow())));
            }
            moves.put(PlanDraft.promised(one.get(), last.target(), situation.now()));
            seated++;
            one = next();
            if (one.isPresent()) {
                last = Feasibility.firstFit(one.get(), situation);
                tried += last.tried();
            }
        }
        return new Feasibility.Search(first.target(), tried, Optional.empty());
    }

    private static Obstacle obstacle(int seated, Obstacle next) {
        return new Obstacle(
                Reason.DOMAIN_ADDED,
                "there is a place for " + seated
                        + " of the pods that have to move to even out the new domain, and they move"
                        + " all or none; for the next, " + next.message());
    }

    /** {@return one of the domain with most pods, if that has too many still: if none of these has to move, nobody has} */
    private Optional<Candidate> next() {
        Promises promises = Promises.of(moves);
        ClusterView kept = promises.keptIn(situation.view());
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
                        .filter(pod -> !promises.leaving().contains(pod.uid()))
                        .min(Comparator.comparing(Pod::uid)))
                .filter(pod -> Evaluator.judge(rule, pod, kept) instanceof Verdict.Violated)
                .map(candidate::like);
    }

    private Optional<String> domain(Pod pod, ClusterView view) {
        Optional<Node> node = view.nodeCounting(pod);
        return node.flatMap(it -> it.labels().get(rule.constraint().topologyKey()));
    }
}
