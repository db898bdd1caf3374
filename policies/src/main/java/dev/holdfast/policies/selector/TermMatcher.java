package dev.holdfast.policies.selector;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A parsed affinity or anti-affinity term together with the namespace of the pod that owns it: which pods match?
 *
 * <p>Namespaces (PA-2 to PA-5): with neither names nor a selector, the owner's own; otherwise the names listed and
 * those whose Namespace object the selector matches; an empty selector adds all, known or not.
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

    /** {@return the matcher of a term owned by a pod in {@code ownerNamespace}} */
    public static ParseResult<TermMatcher> of(PodAffinityTerm term, String ownerNamespace) {
        // A list may be long and of names with one hash: unlike Set.copyOf this set stays fast even then.
        Set<String> names = term.ofOwnNamespace()
                ? Set.of(ownerNamespace)
                : Collections.unmodifiableSet(new LinkedHashSet<>(term.namespaces()));
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

    /** {@return the node label whose value is the domain} */
    public String topologyKey() {
        return term.topologyKey();
    }

    /** {@return whether the term of the pod that is judged matches this other pod: an unknown namespace never does} */
    public boolean matches(Pod other, ClusterView view) {
        return pods.matches(other.labels())
                && reaches(other.namespace(), view.namespace(other.namespace()).map(Namespace::labels));
    }

    /**
     * {@return whether the term of another pod matches the pod that is judged: a namespace without an object counts as
     * one without labels (PA-6)}
     */
    public boolean matchesAsOther(Pod judged, ClusterView view) {
        Labels labels =
                view.namespace(judged.namespace()).map(Namespace::labels).orElse(Labels.none());
        return pods.matches(judged.labels()) && reaches(judged.namespace(), Optional.of(labels));
    }

    /** {@return which labels a pod must have to match, in a namespace that the term reaches} */
    public LabelMatcher pods() {
        return pods;
    }

    /**
     * {@return the only namespaces that the term can ever reach, by name; empty when that depends on the labels of
     * namespaces}
     */
    public Optional<Set<String>> onlyNamespaces() {
        return namespaces.matchesNothing() ? Optional.of(names) : Optional.empty();
    }

    /** {@return whether the term reaches a namespace with these labels; a namespace without an object has none} */
    public boolean reaches(String namespace, Optional<Labels> labels) {
        return names.contains(namespace)
                || namespaces.matchesEverything()
                || labels.filter(namespaces::matches).isPresent();
    }

    /**
     * {@return the pods that the term may match: those with labels that it wants, in the namespaces it reaches, each once}
     */
    public Iterable<Pod> candidates(ClusterView view) {
        if (namespaces.matchesEverything()) {
            return view.podsWith(pods::matches);
        }
        Collection<String> reached = reachedNamespaces(view);
        return () -> reached.stream()
                .flatMap(namespace -> StreamSupport.stream(
                        view.podsIn(namespace, pods::matches).spliterator(), false))
                .iterator();
    }

    /** {@return the names of the namespaces reached, in order; those listed need not exist} */
    public Collection<String> reachedNamespaces(ClusterView view) {
        Set<String> reached = new TreeSet<>(names);
        if (!namespaces.matchesNothing()) {
            view.namespaces().stream()
                    .filter(namespace -> namespaces.matches(namespace.labels()))
                    .forEach(namespace -> reached.add(namespace.name()));
        }
        return reached;
    }

    /** {@return whether a change of a namespace's labels can change what the term matches} */
    public boolean followsNamespaceLabels() {
        return term.namespaceSelector().filter(selector -> !selector.isEmpty()).isPresent();
    }

    /** {@return the labels of namespaces on which it depends what the term matches} */
    public Stream<String> namespaceKeys() {
        return namespaces.keys();
    }

    /**
     * {@return whether the term itself asks for this namespace: by its owner's own, by name, or by a namespaceSelector
     * that is not empty}
     */
    public boolean asksFor(String namespace, ClusterView view) {
        return names.contains(namespace)
                || (followsNamespaceLabels()
                        && view.namespace(namespace)
                                .filter(known -> namespaces.matches(known.labels()))
                                .isPresent());
    }
}
