package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.HidingView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.Parsed;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Pods of a namespace that the rule owner does not trust never cost it its place. Trusted are its own namespace, those
 * the term lists by name and those its namespaceSelector matches, unless that selector is empty.
 *
 * <p>Judged on the state, not on who came last: anti-affinity counts only if it is still violated with the pods of other
 * namespaces left out; affinity only if every namespace that its terms reach is trusted.
 */
final class TrustCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        ClusterView view = situation.view();
        return switch (candidate.rule()) {
            case Rule.NodeAffinity _, Rule.TopologySpread _ -> Optional.empty();
            case Rule.PodAntiAffinity anti ->
                partners(anti, candidate, situation).isEmpty() ? untrusted() : Optional.empty();
            case Rule.PodAffinity affinity ->
                affinity.terms().stream().allMatch(term -> reachesOnlyTrusted(term, candidate, view))
                        ? Optional.empty()
                        : untrusted();
        };
    }

    /** {@return the pods of trusted namespaces that break the candidate's rule by being there, leaving ones included} */
    static List<Pod> partners(Rule.PodAntiAffinity rule, Candidate candidate, Situation situation) {
        ClusterView view = situation.view();
        Optional<TermMatcher> term = matcher(rule.term(), candidate);
        ClusterView trusted = new HidingView(
                situation.execution(),
                pod -> !candidate.pod().namespace().equals(pod.namespace())
                        && term.filter(it -> it.asksFor(pod.namespace(), view)).isEmpty());
        return Evaluator.judge(rule, candidate.pod(), trusted) instanceof Verdict.Violated(Breach breach)
                ? breach.partners()
                : List.of();
    }

    private static boolean reachesOnlyTrusted(PodAffinityTerm term, Candidate candidate, ClusterView view) {
        Optional<TermMatcher> matcher = matcher(term, candidate);
        return matcher.isPresent()
                && reached(term, matcher.get(), view).stream()
                        .allMatch(namespace -> namespace.equals(candidate.pod().namespace())
                                || matcher.get().asksFor(namespace, view));
    }

    private static Collection<String> reached(PodAffinityTerm term, TermMatcher matcher, ClusterView view) {
        Collection<String> reached = matcher.reachedNamespaces(view);
        boolean all =
                term.namespaceSelector().filter(selector -> selector.isEmpty()).isPresent();
        if (all) {
            view.namespaces().forEach(namespace -> reached.add(namespace.name()));
        }
        return reached;
    }

    private static Optional<TermMatcher> matcher(PodAffinityTerm term, Candidate candidate) {
        return TermMatcher.of(term, candidate.pod().namespace()) instanceof Parsed.Usable<TermMatcher>(var usable)
                ? Optional.of(usable)
                : Optional.empty();
    }

    private static Optional<Hold> untrusted() {
        return Optional.of(Hold.untilChange(
                Reason.UNTRUSTED_CAUSE,
                "it depends on pods of namespaces that the rule does not ask for by name or by a selector"));
    }
}
