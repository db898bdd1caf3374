package dev.holdfast.policies.effect;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.SpreadDomains;
import dev.holdfast.policies.selector.ConflictingRequirements;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.NodeMismatchText;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Finds rules that can do nothing in a cluster as it is, for example anti-affinity by a topologyKey that no node has.
 * Such a rule is no violation. Results are cached, so an instance is valid until the cluster changes.
 *
 * <p>Nothing is said of a rule if objects that were not read could change the answer.
 */
public final class RuleEffect {
    private final ClusterView view;
    private final Function<SpreadDomains, Optional<Set<String>>> counted;
    private final boolean nodesAreKnown;
    private final long mostExamined;
    private long examined;
    private final Map<Question, Optional<NoEffect>> known = new HashMap<>();
    private final Map<SpreadDomains, Set<String>> domains = new HashMap<>();
    private final Map<String, Boolean> nowhere = new HashMap<>();

    /** A rule of a pod, reduced to what decides about its effect. */
    private record Question(
            Rule rule,
            String namespace,
            boolean withPods,
            Optional<LabelSelector> counted,
            Optional<SpreadDomains> of) {}

    public RuleEffect(ClusterView view) {
        this(view, _ -> Optional.empty(), Long.MAX_VALUE);
    }

    /**
     * @param counted finds the domains of spread constraints that are counted already; empty for others
     * @param mostExamined after this many pods of other terms, nothing more is said of rules that match no pod: tenants
     *     can write many terms that take long
     */
    public RuleEffect(ClusterView view, Function<SpreadDomains, Optional<Set<String>>> counted, long mostExamined) {
        this.mostExamined = mostExamined;
        this.view = view;
        this.counted = counted;
        this.nodesAreKnown = !view.nodes().isEmpty() && view.unreadNodes().isEmpty();
    }

    /** {@return why a rule of a pod can do nothing in this cluster; empty if it can} */
    public Optional<NoEffect> of(Rule rule, Pod pod) {
        return of(rule, pod.namespace(), pod.scheduling(), pod.labels(), true);
    }

    /**
     * {@return why a rule can do nothing for any pod with these constraints, whatever its labels are; empty if it may}
     * Labels of the pod only narrow what a rule counts.
     *
     * @param withPods whether to search the pods that terms match
     */
    public Optional<NoEffect> ofAny(Rule rule, String namespace, Scheduling scheduling, boolean withPods) {
        return of(rule, namespace, scheduling, Labels.none(), withPods);
    }

    private Optional<NoEffect> of(Rule rule, String namespace, Scheduling scheduling, Labels labels, boolean withPods) {
        Rule merged = rule.mergedFor(labels);
        Question question = merged instanceof Rule.TopologySpread spread
                ? new Question(
                        spread,
                        namespace,
                        withPods,
                        spread.constraint().selectorFor(labels),
                        Optional.of(SpreadDomains.of(spread, scheduling)))
                : new Question(merged, namespace, withPods, Optional.empty(), Optional.empty());
        Optional<NoEffect> before = known.get(question);
        if (before == null) {
            before = search(question);
            known.put(question, before);
        }
        return before;
    }

    private Optional<NoEffect> search(Question question) {
        return switch (question.rule()) {
            case Rule.NodeAffinity node -> ofNode(node);
            case Rule.PodAffinity affinity -> ofAffinity(affinity, question);
            case Rule.PodAntiAffinity anti -> ofAntiAffinity(anti.term(), question);
            case Rule.TopologySpread spread -> ofSpread(spread, question);
        };
    }

    private static Optional<NoEffect> ofNode(Rule.NodeAffinity rule) {
        NodeMismatchText text = new NodeMismatchText(rule.nodeSelector(), rule.required());
        return text.never()
                .map(why -> new NoEffect(NoEffect.Kind.UNMATCHABLE, "no node can match it: " + why))
                .or(() -> text.deadTerms().stream()
                        .findFirst()
                        .map(why -> new NoEffect(NoEffect.Kind.UNMATCHABLE, "no node can match its term " + why)));
    }

    private Optional<NoEffect> ofAffinity(Rule.PodAffinity rule, Question question) {
        for (PodAffinityTerm term : rule.terms()) {
            if (isNowhere(term.topologyKey())) {
                return nowhere(term.topologyKey(), "no node satisfies it");
            }
        }
        return unmatchable(rule.terms().stream()
                        .map(PodAffinityTerm::labelSelector)
                        .toList())
                .or(() -> matchesNone(
                        rule.terms(),
                        question,
                        rule.terms().size() == 1
                                ? "matches its selector, so no node satisfies it"
                                : "matches all its terms, as one pod must, so no node satisfies it"));
    }

    private Optional<NoEffect> ofAntiAffinity(PodAffinityTerm term, Question question) {
        if (isNowhere(term.topologyKey())) {
            return nowhere(term.topologyKey(), "it keeps no pods apart");
        }
        return unmatchable(List.of(term.labelSelector()))
                .or(() -> matchesNone(List.of(term), question, "matches its selector, so it keeps no pods apart"));
    }

    /** {@return that no pod matches all terms; empty if one does, or if that is unknown} */
    private Optional<NoEffect> matchesNone(List<PodAffinityTerm> terms, Question question, String so) {
        if (!question.withPods()) {
            return Optional.empty();
        }
        List<TermMatcher> matchers = new ArrayList<>();
        for (PodAffinityTerm term : terms) {
            if (!(TermMatcher.of(term, question.namespace())
                    instanceof ParseResult.Usable<TermMatcher>(TermMatcher matcher))) {
                return Optional.empty();
            }
            matchers.add(matcher);
        }
        return matchers.isEmpty() || matchesAny(matchers)
                ? Optional.empty()
                : Optional.of(new NoEffect(NoEffect.Kind.NO_POD, "no pod in the namespaces that it reads " + so));
    }

    private boolean matchesAny(List<TermMatcher> matchers) {
        for (Pod pod : matchers.getFirst().podsMatchingLabels(view)) {
            examined++;
            if (examined > mostExamined || matchers.stream().allMatch(matcher -> matcher.mayMatch(pod, view))) {
                return true;
            }
        }
        return !matchers.getFirst().undecidedPods(view).isEmpty();
    }

    private Optional<NoEffect> ofSpread(Rule.TopologySpread rule, Question question) {
        String key = rule.constraint().topologyKey();
        if (isNowhere(key)) {
            return nowhere(key, "no node satisfies it");
        }
        if (question.counted().filter(LabelSelector::isEmpty).isPresent()) {
            return Optional.of(new NoEffect(
                    NoEffect.Kind.NO_POD, "the scheduler counts no pods for the selector {}, so it spreads none"));
        }
        return unmatchable(List.of(question.counted()))
                .or(() -> countsNone(question))
                .or(() -> question.of()
                        .filter(_ -> nodesAreKnown && rule.constraint().minDomains() <= 1)
                        .map(of -> domains.computeIfAbsent(
                                of, it -> counted.apply(it).orElseGet(() -> firstDomains(it))))
                        .filter(found -> found.size() < 2)
                        .map(found -> new NoEffect(NoEffect.Kind.ONE_DOMAIN, oneDomain(key, found))));
    }

    private Optional<NoEffect> countsNone(Question question) {
        return LabelMatcher.of(question.counted()) instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher matcher)
                        && !view.podsIn(question.namespace(), matcher)
                                .iterator()
                                .hasNext()
                        && !view.podsWithUnreadLabels(question.namespace())
                                .iterator()
                                .hasNext()
                ? Optional.of(new NoEffect(
                        NoEffect.Kind.NO_POD, "no pod of its namespace matches its selector, so it spreads none"))
                : Optional.empty();
    }

    private static String oneDomain(String key, Set<String> found) {
        return found.isEmpty()
                ? "no node counts for it, so its skew never exceeds 1"
                : "all nodes that count for it are in " + QuotedText.of(key) + "="
                        + QuotedText.value(found.iterator().next()) + ", so its skew never exceeds 1";
    }

    /** {@return the domains of a spread constraint; of two or more, two} */
    private Set<String> firstDomains(SpreadDomains of) {
        Predicate<Node> eligible = of.eligibility().matcher();
        Set<String> found = new TreeSet<>();
        for (Node node : view.nodes()) {
            Optional<String> domain = node.labels().get(of.topologyKey());
            if (domain.isPresent() && !found.contains(domain.get()) && eligible.test(node)) {
                found.add(domain.get());
                if (found.size() == 2) {
                    return found;
                }
            }
        }
        return found;
    }

    private boolean isNowhere(String key) {
        return nodesAreKnown
                && nowhere.computeIfAbsent(
                        key,
                        _ -> view.nodes().stream()
                                .noneMatch(node -> node.labels().has(key)));
    }

    private static Optional<NoEffect> nowhere(String key, String so) {
        return Optional.of(
                new NoEffect(NoEffect.Kind.KEY_NOWHERE, "no node has the label " + QuotedText.of(key) + ", so " + so));
    }

    /** {@return that no pod can match all selectors, whatever its labels are; empty if a pod can} */
    private static Optional<NoEffect> unmatchable(List<Optional<LabelSelector>> selectors) {
        return selectors.stream().anyMatch(Optional::isEmpty)
                ? Optional.of(
                        new NoEffect(NoEffect.Kind.UNMATCHABLE, "it has no `labelSelector`, and so it matches no pod"))
                : ConflictingRequirements.among(
                                selectors.stream().flatMap(Optional::stream).toList())
                        .map(why -> new NoEffect(NoEffect.Kind.UNMATCHABLE, "no pod can match it: " + why));
    }
}
