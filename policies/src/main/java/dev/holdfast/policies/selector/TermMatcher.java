package dev.holdfast.policies.selector;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A parsed pod affinity or anti-affinity term, for a rule owner in a given namespace. The matcher decides which pods
 * match.
 *
 * <p>Namespaces (PA-2 to PA-5): a term without {@code namespaces} and {@code namespaceSelector} applies to the rule
 * owner's namespace. Otherwise the term applies to the listed namespaces and to those whose labels the selector
 * matches. An empty selector adds all namespaces, even those whose Namespace object is not known.
 */
public final class TermMatcher {
    private final PodAffinityTerm term;
    private final LabelMatcher pods;
    private final Set<String> names;
    private final LabelMatcher namespaces;

    private TermMatcher(PodAffinityTerm term, LabelMatcher pods, Set<String> names, LabelMatcher namespaces) {
        this.term = term;
        this.pods = pods;
        this.names = names;
        this.namespaces = namespaces;
    }

    /** {@return the matcher of a term, for a rule owner in the namespace {@code ownerNamespace}} */
    public static ParseResult<TermMatcher> of(PodAffinityTerm term, String ownerNamespace) {
        Set<String> names = StringSet.of(term.ofOwnNamespace() ? List.of(ownerNamespace) : term.namespaces());
        return switch (LabelMatcher.of(term.labelSelector())) {
            case ParseResult.Unusable<LabelMatcher>(String why) -> new ParseResult.Unusable<>("`labelSelector` " + why);
            case ParseResult.Usable<LabelMatcher>(LabelMatcher pods) ->
                switch (LabelMatcher.of(term.namespaceSelector())) {
                    case ParseResult.Unusable<LabelMatcher>(String why) ->
                        new ParseResult.Unusable<>("`namespaceSelector` " + why);
                    case ParseResult.Usable<LabelMatcher>(LabelMatcher namespaces) ->
                        new ParseResult.Usable<>(new TermMatcher(term, pods, names, namespaces));
                };
        };
    }

    /** {@return the key of the node label whose value is the domain} */
    public String topologyKey() {
        return term.topologyKey();
    }

    /** {@return whether the term is {@linkplain PodAffinityTerm#isClusterWide() cluster-wide}} */
    public boolean isClusterWide() {
        return term.isClusterWide();
    }

    /**
     * {@return whether this term, as a term of the evaluated pod, matches another pod} If the Namespace object of the
     * other pod is missing, no namespaceSelector selects it, except an empty one (PA-6). A term may still name it.
     */
    public boolean matches(Pod other, ClusterView view) {
        return pods.matches(other.labels())
                && appliesTo(
                        other.namespace(), view.namespace(other.namespace()).map(Namespace::labels));
    }

    /**
     * {@return whether this term, as a term of another pod, matches the evaluated pod} A namespace whose Namespace
     * object is missing counts as a namespace without labels (PA-6). A namespace whose labels were not read may have
     * any labels.
     */
    public boolean matchesEvaluatedPod(Pod judged, ClusterView view) {
        Labels labels =
                view.namespace(judged.namespace()).map(Namespace::labels).orElse(Labels.none());
        return pods.matches(judged.labels())
                && (appliesTo(judged.namespace(), Optional.of(labels)) || namespaces.mayMatch(labels));
    }

    /**
     * {@return whether this term, as a term of the evaluated pod, would match another pod with other labels in place of
     * those that were not read, of the pod or of its namespace}
     */
    public boolean mayMatch(Pod other, ClusterView view) {
        Optional<Labels> labels = view.namespace(other.namespace()).map(Namespace::labels);
        return pods.mayMatch(other.labels())
                && (appliesTo(other.namespace(), labels)
                        || labels.filter(namespaces::mayMatch).isPresent());
    }

    /**
     * {@return the pods that {@link #mayMatch} accepts and {@link #matches} does not: with other labels in place of
     * those that were not read, the term would match them}
     */
    public List<Pod> undecidedPods(ClusterView view) {
        Set<Pod> ofUnread = new LinkedHashSet<>();
        if (namespaces.matchesNothing()) {
            names.forEach(name -> view.podsWithUnreadLabels(name).forEach(ofUnread::add));
        } else {
            view.podsWithUnreadLabels().forEach(ofUnread::add);
            for (Namespace namespace : view.namespacesWithUnreadLabels()) {
                view.podsIn(namespace.name(), pods::mayMatch).forEach(ofUnread::add);
            }
        }
        return ofUnread.stream()
                .filter(pod -> mayMatch(pod, view) && !matches(pod, view))
                .toList();
    }

    /** {@return the matcher of the term's labelSelector, which does not check the namespace of a pod} */
    public LabelMatcher pods() {
        return pods;
    }

    /**
     * {@return the names of all namespaces to which the term can ever apply; absent if the term has a
     * namespaceSelector, because then namespace labels decide}
     */
    public Optional<Set<String>> onlyNamespaces() {
        return namespaces.matchesNothing() ? Optional.of(names) : Optional.empty();
    }

    /** {@return whether the term applies to a namespace; {@code labels} is absent if the Namespace is not known} */
    public boolean appliesTo(String namespace, Optional<Labels> labels) {
        return names.contains(namespace)
                || namespaces.matchesEverything()
                || labels.filter(namespaces::matches).isPresent();
    }

    /** {@return all pods that the labelSelector matches, in the namespaces to which the term applies; each pod once} */
    public Iterable<Pod> podsMatchingLabels(ClusterView view) {
        if (namespaces.matchesEverything()) {
            return view.podsWith(pods);
        }
        Collection<String> reached = reachedNamespaces(view);
        return () -> reached.stream()
                .flatMap(namespace ->
                        StreamSupport.stream(view.podsIn(namespace, pods).spliterator(), false))
                .iterator();
    }

    /**
     * {@return the names of the namespaces to which the term applies, sorted; those in {@code namespaces} need not
     * exist}
     */
    public Collection<String> reachedNamespaces(ClusterView view) {
        Set<String> reached = new TreeSet<>(names);
        if (!namespaces.matchesNothing()) {
            view.namespaces().stream()
                    .filter(namespace -> namespaces.matches(namespace.labels()))
                    .forEach(namespace -> reached.add(namespace.name()));
        }
        return reached;
    }

    /** {@return whether a change of namespace labels can change which pods the term matches} */
    public boolean followsNamespaceLabels() {
        return term.namespaceSelector().filter(selector -> !selector.isEmpty()).isPresent();
    }

    /** {@return the keys of the namespace labels that the namespaceSelector reads, possibly with duplicates} */
    public Stream<String> namespaceKeys() {
        return namespaces.keys();
    }

    /**
     * {@return whether the term explicitly selects a namespace: by name, by a namespaceSelector that is not empty, or
     * as the rule owner's own namespace if the term has neither}
     */
    public boolean selectsExplicitly(String namespace, ClusterView view) {
        return names.contains(namespace)
                || (followsNamespaceLabels()
                        && view.namespace(namespace)
                                .filter(known -> namespaces.matches(known.labels()))
                                .isPresent());
    }

    /** {@return the term as text: {@code (app=web) by rack}} */
    @Override
    public String toString() {
        return term.toString();
    }
}
