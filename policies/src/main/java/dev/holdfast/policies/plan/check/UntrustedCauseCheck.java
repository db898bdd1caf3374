package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Partners;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Holds a candidate whose violation depends on pods of untrusted namespaces. Trusted are three kinds of namespaces: the
 * rule owner's own, those that the rule's term lists or matches with a non-empty namespaceSelector, and those that the
 * policy trusts.
 *
 * <p>The check uses the present state, not the order of events. A candidate for anti-affinity passes if the rule would
 * be broken even without the pods of untrusted namespaces. A candidate for affinity passes if all namespaces that the
 * terms select are trusted.
 *
 * <p>The hold has no time limit: otherwise a tenant could evict the pods of another one by waiting. A person who trusts
 * the namespaces ends the hold.
 */
final class UntrustedCauseCheck implements Check {
    private static final int NAMED_NAMESPACES = 3;

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        if (!candidate.strategy().needsTrust()) {
            return Optional.empty();
        }
        ClusterView view = situation.view();
        return switch (candidate.rule()) {
            case Rule.OfNode _, Rule.TopologySpread _ -> Optional.empty();
            case Rule.PodAntiAffinity anti ->
                partners(anti, candidate, situation)
                                .namespaces(candidate.owner())
                                .isEmpty()
                        ? Optional.of(
                                untrusted("the rule is broken by pods of ", namespaces(anti, candidate, situation)))
                        : Optional.empty();
            case Rule.PodAffinity affinity ->
                Optional.of(untrusted(affinity, candidate, view))
                        .filter(namespaces -> !namespaces.isEmpty())
                        .map(namespaces -> untrusted("the rule depends on pods of ", namespaces));
        };
    }

    /** {@return the pods of trusted namespaces that break the candidate's rule, including terminating ones} */
    static Partners partners(Rule.PodAntiAffinity rule, Candidate candidate, Situation situation) {
        Optional<TermMatcher> term = matcher(rule.term(), candidate);
        String own = candidate.owner().namespace();
        return situation
                .rules()
                .partners()
                .partners(candidate, rule)
                .in(namespace -> own.equals(namespace)
                        || term.filter(it -> it.selectsExplicitly(namespace, situation.view()))
                                .isPresent()
                        || isTrusted(namespace, candidate, situation.view()));
    }

    private static boolean isTrusted(String namespace, Candidate candidate, ClusterView view) {
        return candidate.requestingPolicy().disruptionControls().trusts(namespace, view);
    }

    /** {@return the namespaces of all pods that break the rule} */
    private static NavigableSet<String> namespaces(
            Rule.PodAntiAffinity rule, Candidate candidate, Situation situation) {
        return situation.rules().partners().partners(candidate, rule).namespaces(candidate.owner());
    }

    /** {@return the untrusted namespaces among those that the terms select} */
    private static NavigableSet<String> untrusted(Rule.PodAffinity rule, Candidate candidate, ClusterView view) {
        NavigableSet<String> untrusted = new TreeSet<>();
        for (PodAffinityTerm term : rule.terms()) {
            matcher(term, candidate)
                    .ifPresent(matcher -> reached(term, matcher, view).stream()
                            .filter(namespace ->
                                    !namespace.equals(candidate.owner().namespace()))
                            .filter(namespace -> !matcher.selectsExplicitly(namespace, view))
                            .filter(namespace -> !isTrusted(namespace, candidate, view))
                            .forEach(untrusted::add));
        }
        return untrusted;
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
        return TermMatcher.of(term, candidate.owner().namespace())
                        instanceof ParseResult.Usable<TermMatcher>(var usable)
                ? Optional.of(usable)
                : Optional.empty();
    }

    private static Hold untrusted(String how, NavigableSet<String> namespaces) {
        String named = namespaces.stream().limit(NAMED_NAMESPACES).collect(Collectors.joining(", "));
        int more = namespaces.size() - NAMED_NAMESPACES;
        String why =
                ". The pod stays until these pods are gone or their namespaces are trusted. A rule trusts a namespace"
                        + " by its name or by a non-empty selector, a policy by trustedNamespaceSelector";
        return Hold.untilChange(
                        Reason.UNTRUSTED_CAUSE,
                        how
                                + (namespaces.size() == 1 ? "namespace " : "namespaces ")
                                + named
                                + (more > 0 ? " and " + more + " more" : "")
                                + why)
                .redacted(how
                        + (namespaces.size() == 1 ? "another namespace" : namespaces.size() + " other namespaces")
                        + why);
    }
}
