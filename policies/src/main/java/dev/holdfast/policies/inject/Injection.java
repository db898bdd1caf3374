package dev.holdfast.policies.inject;

import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.model.injected.InjectedRules;
import dev.holdfast.policies.model.injected.InjectedRules.Entry;
import dev.holdfast.policies.model.injected.InjectedRules.Place;
import dev.holdfast.policies.model.injected.InjectedRules.TermSize;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenRequired;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The constraints of a pod into which policies have injected their rules, as the admission policies of the chart do it
 * in the API server. Both must give the same constraints: {@code InjectionIT} compares them.
 *
 * <p>Example: a pod requires {@code zone In [a]} or {@code zone In [b]}, and a policy {@code disk In [ssd]}. The pod
 * then requires {@code zone In [a], disk In [ssd]} or {@code zone In [b], disk In [ssd]}. If the policy requires {@code
 * disk In [ssd]} only where possible, the pod requires what it required before, and prefers {@code disk In [ssd]}.
 *
 * @param scheduling the constraints with all that was injected
 * @param preferred the preferred terms with all that was injected
 * @param record what was injected, in this order
 */
public record Injection(Scheduling scheduling, PreferredTerms preferred, InjectedRules record) {
    /** The maximum number of rules about other pods of one pod; further rules are left out. */
    static final int MOST_POD_RULES = 12;

    /** The maximum number of requirements and values of node affinity; a rule that would make more is left out. */
    static final int MOST_NODE_VALUES = 150;

    /** The maximum number of preferred terms of one kind; further terms are left out. */
    static final int MOST_PREFERRED = 20;

    /** {@return the constraints of a pod that prefers nothing, before any policy injects a rule} */
    public static Injection into(Scheduling scheduling) {
        return into(scheduling, PreferredTerms.none());
    }

    /** {@return the constraints of a pod before any policy injects a rule} */
    public static Injection into(Scheduling scheduling, PreferredTerms preferred) {
        return new Injection(scheduling, preferred, InjectedRules.none());
    }

    /** {@return the constraints with the rules of these policies, and those of the annotation if one allows them} */
    Injection with(List<Policy> policies) {
        Injection injected = this;
        for (Policy policy : policies) {
            injected = injected.with(policy);
        }
        return policies.stream().anyMatch(Policy::injectsAnnotationRules) ? injected.withAnnotationRules() : injected;
    }

    /** {@return the constraints with the rules of one more policy, which must select the pod} */
    public Injection with(Policy policy) {
        Injection injected = this;
        for (Policy.NamedRule rule : rules(policy, WhenRequired.ALWAYS)) {
            injected = injected.with(name(policy.id(), rule), rule.rule());
        }
        int unread = values(preferred.nodeAffinity()) > MOST_NODE_VALUES ? 0 : MOST_PREFERRED;
        for (Policy.NamedRule rule : rules(policy, WhenRequired.POSSIBLE_AT_SCHEDULING)) {
            injected = injected.preferring(name(policy.id(), rule), rule.rule(), unread);
            unread -= Math.min(unread, alternatives(rule.rule()).size());
        }
        return injected;
    }

    /**
     * {@return the constraints with the rules of the pod's annotation, which a policy must allow} All policies that
     * allow these rules give them the same names, so that each rule is injected once. The names come after those of
     * policies, so a rule of a policy goes before one of an annotation.
     */
    public Injection withAnnotationRules() {
        Injection injected = this;
        for (Map.Entry<String, Rule> rule : annotationRules(scheduling)) {
            injected = injected.with("annotation/" + rule.getKey(), rule.getValue());
        }
        return injected;
    }

    private static List<Map.Entry<String, Rule>> annotationRules(Scheduling scheduling) {
        return isUnread(scheduling)
                ? List.of()
                : PodRules.inAnnotation(scheduling).entrySet().stream()
                        .sorted(Comparator.comparing((Map.Entry<String, Rule> rule) ->
                                        rule.getValue().kind())
                                .thenComparing(Map.Entry::getKey))
                        .toList();
    }

    /** {@return whether the pod has valid rules in its annotation that the API server cannot read} */
    private static boolean isUnread(Scheduling scheduling) {
        return scheduling.annotationRules() instanceof AnnotationRules.Given given
                && given.text() == AnnotationRules.Text.WITH_ESCAPES;
    }

    /** {@return the rules that a policy injects, in the order in which it does: by kind, and then by name} */
    static List<Policy.NamedRule> rules(Policy policy, WhenRequired whenRequired) {
        return policy.rules().stream()
                .filter(rule -> rule.enforcement().mode() != Mode.DISABLED)
                .filter(rule -> rule.enforcement().whenRequired() == whenRequired)
                .sorted(Comparator.comparing(
                                (Policy.NamedRule rule) -> rule.rule().kind())
                        .thenComparing(Policy.NamedRule::name))
                .toList();
    }

    /**
     * {@return INJECTED if the constraints have the rule, otherwise why it would be left out of them; ABSENT if nothing
     * prevents it}
     */
    InjectionOutcome outcome(Rule rule) {
        return switch (rule) {
            case Rule.NodeAffinity node -> outcome(node);
            case Rule.PodAffinity affinity -> {
                List<PodAffinityTerm> terms = scheduling.podAffinity();
                boolean same = terms.size() == affinity.terms().size()
                        && affinity.terms().stream()
                                .allMatch(term -> terms.stream().anyMatch(other -> term.isStoredAs(other)));
                yield ofPodRule(same, !terms.isEmpty(), InjectionOutcome.OTHER_POD_AFFINITY);
            }
            case Rule.PodAntiAffinity anti -> {
                boolean same = scheduling.podAntiAffinity().stream()
                        .anyMatch(other -> anti.term().isStoredAs(other));
                yield ofPodRule(same, false, InjectionOutcome.ABSENT);
            }
            case Rule.TopologySpread spread -> {
                List<TopologySpreadConstraint> others = scheduling.topologySpread().stream()
                        .filter(it ->
                                it.topologyKey().equals(spread.constraint().topologyKey()))
                        .toList();
                boolean same =
                        others.stream().anyMatch(other -> spread.constraint().isStoredAs(other));
                yield ofPodRule(same, !others.isEmpty(), InjectionOutcome.OTHER_SPREAD);
            }
        };
    }

    /** {@return as {@link #outcome}, for a rule of the pod's annotation} */
    InjectionOutcome annotationOutcome(Rule rule) {
        InjectionOutcome outcome = outcome(rule);
        return isUnread(scheduling) && !outcome.isInSpec() ? InjectionOutcome.ANNOTATION_NOT_PLAIN : outcome;
    }

    private InjectionOutcome ofPodRule(boolean same, boolean taken, InjectionOutcome whenTaken) {
        if (same) {
            return InjectionOutcome.INJECTED;
        }
        if (taken) {
            return whenTaken;
        }
        return hasRoom() ? InjectionOutcome.ABSENT : InjectionOutcome.TOO_MANY_POD_RULES;
    }

    private InjectionOutcome outcome(Rule.NodeAffinity rule) {
        List<NodeSelectorTerm> alternatives = alternatives(rule);
        Optional<List<NodeSelectorTerm>> terms = scheduling.nodeAffinity().map(NodeSelector::terms);
        if (terms.isPresent() && isImplied(terms.get(), alternatives)) {
            return InjectionOutcome.INJECTED;
        }
        return isTooLarge(terms, alternatives) ? InjectionOutcome.TOO_MANY_NODE_VALUES : InjectionOutcome.ABSENT;
    }

    private static String name(PolicyId policy, Policy.NamedRule rule) {
        return (policy.isOfCluster() ? "ClusterPlacementPolicy/" : "PlacementPolicy/") + policy.name() + "/"
                + rule.name();
    }

    private Injection with(String name, Rule required) {
        return switch (required) {
            case Rule.NodeAffinity rule ->
                rule.required().map(it -> with(name, it)).orElse(this);
            case Rule.PodAffinity rule -> withAffinity(name, rule.terms());
            case Rule.PodAntiAffinity rule -> withAntiAffinity(name, rule.term());
            case Rule.TopologySpread rule -> withSpread(name, rule.constraint());
        };
    }

    /** {@return the alternatives of a node rule that match any node; none for a rule of another kind} */
    private static List<NodeSelectorTerm> alternatives(Rule rule) {
        return rule instanceof Rule.NodeAffinity node
                ? node.required().map(Injection::alternatives).orElse(List.of())
                : List.of();
    }

    private static List<NodeSelectorTerm> alternatives(NodeSelector rule) {
        return rule.terms().stream().filter(term -> !term.isEmpty()).toList();
    }

    /**
     * {@return the constraints, and the rule as one more preference of the pod}
     *
     * @param most how many alternatives of a node rule are read
     */
    private Injection preferring(String name, Rule rule, int most) {
        return switch (rule) {
            case Rule.NodeAffinity _ ->
                preferring(
                        name,
                        added(
                                        preferred.nodeAffinity(),
                                        alternatives(rule).stream().limit(most).toList())
                                .map(preferred::withNodeAffinity));
            case Rule.PodAffinity affinity ->
                preferring(
                        name, added(preferred.podAffinity(), affinity.terms()).map(preferred::withPodAffinity));
            case Rule.PodAntiAffinity antiAffinity ->
                preferring(
                        name,
                        added(preferred.podAntiAffinity(), List.of(antiAffinity.term()))
                                .map(preferred::withPodAntiAffinity));
            case Rule.TopologySpread spread -> preferringSpread(name, spread.constraint());
        };
    }

    /** {@return the terms and those of the others that are new, as far as there is room; empty if none is added} */
    private static <T> Optional<List<T>> added(List<T> terms, List<T> more) {
        List<T> all = new ArrayList<>(terms);
        more.stream()
                .filter(term -> !all.contains(term) && all.size() < MOST_PREFERRED)
                .forEach(all::add);
        return all.size() == terms.size() ? Optional.empty() : Optional.of(all);
    }

    private Injection preferring(String name, Optional<PreferredTerms> more) {
        Entry entry = new Entry(name, new Place.Preferred());
        InjectedRules rules = record.entries().contains(entry) ? record : recorded(name, entry.place());
        return more.map(it -> new Injection(scheduling, it, rules)).orElse(this);
    }

    private Injection preferringSpread(String name, TopologySpreadConstraint rule) {
        TopologySpreadConstraint soft = withoutMinDomains(rule);
        Entry entry = new Entry(name, new Place.PreferredSpread(rule.topologyKey()));
        List<TopologySpreadConstraint> before = preferred.topologySpread();
        return spread(before, soft, entry, before.size() < MOST_PREFERRED)
                .map(after -> new Injection(scheduling, preferred.withTopologySpread(after), replaced(entry)))
                .orElse(this);
    }

    /** {@return the constraint without minDomains, which the API server refuses in a soft constraint} */
    private static TopologySpreadConstraint withoutMinDomains(TopologySpreadConstraint rule) {
        return new TopologySpreadConstraint(
                rule.maxSkew(),
                rule.topologyKey(),
                rule.labelSelector(),
                1,
                rule.nodeAffinityPolicy(),
                rule.nodeTaintsPolicy(),
                rule.matchLabelKeys());
    }

    /** Adds a node rule to each term. A term without requirements matches no node, and stays as it is. */
    private Injection with(String name, NodeSelector rule) {
        List<NodeSelectorTerm> alternatives = alternatives(rule);
        Optional<List<NodeSelectorTerm>> before = scheduling.nodeAffinity().map(NodeSelector::terms);
        if (before.isPresent() && isImplied(before.get(), alternatives)) {
            return this;
        }
        if (isTooLarge(before, alternatives)) {
            return this;
        }
        List<NodeSelectorTerm> terms = before.map(it -> it.stream()
                        .flatMap(term -> term.isEmpty()
                                ? Stream.of(term)
                                : alternatives.stream().map(alternative -> both(term, alternative)))
                        .toList())
                .orElse(alternatives);
        Place place = new Place.NodeTerms(
                before.map(it -> it.stream().map(TermSize::of).toList()),
                alternatives.stream().map(TermSize::of).toList());
        return new Injection(
                scheduling.withRules(
                        Optional.of(new NodeSelector(terms)),
                        scheduling.podAffinity(),
                        scheduling.podAntiAffinity(),
                        scheduling.topologySpread()),
                preferred,
                recorded(name, place));
    }

    private static boolean isImplied(List<NodeSelectorTerm> terms, List<NodeSelectorTerm> alternatives) {
        return terms.stream().allMatch(term -> implies(term, alternatives));
    }

    private static boolean isTooLarge(Optional<List<NodeSelectorTerm>> terms, List<NodeSelectorTerm> alternatives) {
        return values(terms.orElse(List.of())) * alternatives.size()
                        + terms.map(List::size).orElse(1) * values(alternatives)
                > MOST_NODE_VALUES;
    }

    private static boolean implies(NodeSelectorTerm term, List<NodeSelectorTerm> alternatives) {
        return term.isEmpty()
                || alternatives.stream()
                        .anyMatch(alternative -> term.matchExpressions().containsAll(alternative.matchExpressions())
                                && term.matchFields().containsAll(alternative.matchFields()));
    }

    private static NodeSelectorTerm both(NodeSelectorTerm one, NodeSelectorTerm other) {
        return new NodeSelectorTerm(
                joined(one.matchExpressions(), other.matchExpressions()),
                joined(one.matchFields(), other.matchFields()));
    }

    private static int values(List<NodeSelectorTerm> terms) {
        return terms.stream()
                .flatMap(term -> Stream.concat(term.matchExpressions().stream(), term.matchFields().stream()))
                .map(Requirement::values)
                .mapToInt(values -> 1 + values.size())
                .sum();
    }

    /** Sets an affinity rule if its name is the first: a second one would change the meaning of the first (AF-1). */
    private Injection withAffinity(String name, List<PodAffinityTerm> rule) {
        Entry entry = new Entry(name, new Place.PodAffinity());
        boolean first = scheduling.podAffinity().isEmpty() ? hasRoom() : goesBefore(entry);
        return first
                ? new Injection(
                        scheduling.withRules(
                                scheduling.nodeAffinity(),
                                rule,
                                scheduling.podAntiAffinity(),
                                scheduling.topologySpread()),
                        preferred,
                        replaced(entry))
                : this;
    }

    private Injection withAntiAffinity(String name, PodAffinityTerm rule) {
        List<PodAffinityTerm> before = scheduling.podAntiAffinity();
        return before.contains(rule) || !hasRoom()
                ? this
                : new Injection(
                        scheduling.withRules(
                                scheduling.nodeAffinity(),
                                scheduling.podAffinity(),
                                joined(before, List.of(rule)),
                                scheduling.topologySpread()),
                        preferred,
                        recorded(name, new Place.PodAntiAffinity(before.size())));
    }

    private Injection withSpread(String name, TopologySpreadConstraint rule) {
        Entry entry = new Entry(name, new Place.TopologySpread(rule.topologyKey()));
        return spread(scheduling.topologySpread(), rule, entry, hasRoom())
                .map(after -> new Injection(
                        scheduling.withRules(
                                scheduling.nodeAffinity(),
                                scheduling.podAffinity(),
                                scheduling.podAntiAffinity(),
                                after),
                        preferred,
                        replaced(entry)))
                .orElse(this);
    }

    /**
     * {@return the constraints with a rule; empty if it is left out} A pod has at most one hard and one soft constraint
     * with a topology key. So the rule whose name is the first wins.
     */
    private Optional<List<TopologySpreadConstraint>> spread(
            List<TopologySpreadConstraint> before, TopologySpreadConstraint rule, Entry entry, boolean hasRoom) {
        if (before.stream().noneMatch(it -> it.topologyKey().equals(rule.topologyKey()))) {
            return hasRoom ? Optional.of(joined(before, List.of(rule))) : Optional.empty();
        }
        return goesBefore(entry)
                ? Optional.of(before.stream()
                        .map(it -> it.topologyKey().equals(rule.topologyKey()) ? rule : it)
                        .toList())
                : Optional.empty();
    }

    private boolean hasRoom() {
        return scheduling.podAffinity().size()
                        + scheduling.podAntiAffinity().size()
                        + scheduling.topologySpread().size()
                < MOST_POD_RULES;
    }

    /** {@return whether another rule was injected at the entry's place, with a name that comes later} */
    private boolean goesBefore(Entry entry) {
        return record.entries().stream()
                .anyMatch(other ->
                        other.place().equals(entry.place()) && entry.rule().compareTo(other.rule()) < 0);
    }

    private InjectedRules replaced(Entry entry) {
        List<Entry> others = record.entries().stream()
                .filter(other -> !other.place().equals(entry.place()))
                .toList();
        return new InjectedRules(joined(others, List.of(entry)));
    }

    private InjectedRules recorded(String name, Place place) {
        return new InjectedRules(joined(record.entries(), List.of(new Entry(name, place))));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        List<T> both = new ArrayList<>(first);
        both.addAll(second);
        return both;
    }
}
