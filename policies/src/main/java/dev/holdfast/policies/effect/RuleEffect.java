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
    /** What a rule costs that reads no node and no pod: its selectors are parsed. */
    private static final int PER_RULE = 10;

    private final ClusterView view;
    private final Function<SpreadDomains, Optional<Set<String>>> counted;
    private final boolean nodesAreKnown;
    private final Budget budget;
    private final PodSearch pods;
    private final Map<Question, RuleFinding> known = new HashMap<>();
    private final Map<SpreadDomains, Set<String>> domains = new HashMap<>();

    /** The values of a label of nodes; of two or more, two. */
    private final Map<String, Set<String>> values = new HashMap<>();

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
     * @param mostExamined how many nodes, pods and sets of labels are examined: tenants can write many terms that take
     *     long. Then a rule is {@link RuleFinding.NotExamined} until {@link #allow} is called
     */
    public RuleEffect(ClusterView view, Function<SpreadDomains, Optional<Set<String>>> counted, long mostExamined) {
        this.budget = new Budget(mostExamined);
        this.pods = new PodSearch(view, budget);
        this.view = view;
        this.counted = counted;
        this.nodesAreKnown = !view.nodes().isEmpty() && view.unreadNodes().isEmpty();
    }

    /** Sets how much the following questions may examine; what is known costs nothing. */
    public void allow(long most) {
        budget.set(most);
    }

    /** {@return how much may still be examined} */
    public long left() {
        return budget.left();
    }

    /** {@return whether a rule of a pod can do something in this cluster} */
    public RuleFinding of(Rule rule, Pod pod) {
        return of(rule, pod.namespace(), pod.scheduling(), pod.labels(), true);
    }

    /**
     * {@return whether a rule can do something for a pod with these constraints, whatever its labels are} Labels of
     * the pod only narrow what a rule counts.
     *
     * @param withPods whether to search the pods that terms match
     */
    public RuleFinding ofAny(Rule rule, String namespace, Scheduling scheduling, boolean withPods) {
        return of(rule, namespace, scheduling, Labels.none(), withPods);
    }

    /**
     * {@return whether a spread constraint by this key has one domain at most, whatever pods it is a constraint of}
     * False if that is not known.
     */
    public boolean isOneDomain(String topologyKey) {
        return nodesAreKnown && values(topologyKey).size() < 2 && !budget.isSpent();
    }

    private RuleFinding of(Rule rule, String namespace, Scheduling scheduling, Labels labels, boolean withPods) {
        Rule merged = rule.mergedFor(labels);
        Question question = merged instanceof Rule.TopologySpread spread
                ? new Question(
                        spread,
                        namespace,
                        withPods,
                        spread.constraint().selectorFor(labels),
                        Optional.of(SpreadDomains.of(spread, scheduling)))
                : new Question(merged, namespace, withPods, Optional.empty(), Optional.empty());
        RuleFinding before = known.get(question);
        if (before != null) {
            return before;
        }
        Optional<NoEffect> none = budget.take(PER_RULE) ? search(question) : Optional.empty();
        if (budget.isSpent()) {
            return new RuleFinding.NotExamined();
        }
        RuleFinding found = none.<RuleFinding>map(RuleFinding.Nothing::new).orElseGet(RuleFinding.Something::new);
        known.put(question, found);
        return found;
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
        return matchers.isEmpty() || pods.anyMatches(matchers)
                ? Optional.empty()
                : Optional.of(new NoEffect(NoEffect.Kind.NO_POD, "no pod in the namespaces that it reads " + so));
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
                        .map(this::domains)
                        .filter(found -> found.size() < 2)
                        .map(found -> new NoEffect(NoEffect.Kind.ONE_DOMAIN, oneDomain(key, found))));
    }

    private Optional<NoEffect> countsNone(Question question) {
        return LabelMatcher.of(question.counted()) instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher matcher)
                        && !pods.anyMatches(question.namespace(), matcher)
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

    private Set<String> domains(SpreadDomains of) {
        Set<String> before = domains.get(of);
        if (before != null) {
            return before;
        }
        Set<String> found = counted.apply(of)
                .orElseGet(() -> firstValues(of.topologyKey(), of.eligibility().matcher()));
        if (!budget.isSpent()) {
            domains.put(of, found);
        }
        return found;
    }

    private Set<String> values(String key) {
        Set<String> before = values.get(key);
        if (before != null) {
            return before;
        }
        Set<String> found = firstValues(key, _ -> true);
        if (!budget.isSpent()) {
            values.put(key, found);
        }
        return found;
    }

    /** {@return the values of a label of eligible nodes; of two or more, two} */
    private Set<String> firstValues(String key, Predicate<Node> eligible) {
        Set<String> found = new TreeSet<>();
        for (Node node : view.nodes()) {
            if (!budget.take()) {
                return found;
            }
            Optional<String> domain = node.labels().get(key);
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
        return nodesAreKnown && values(key).isEmpty();
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
