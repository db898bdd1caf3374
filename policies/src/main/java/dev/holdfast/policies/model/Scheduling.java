package dev.holdfast.policies.model;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The scheduling constraints in a pod's spec, and the rules in its annotation. Once the pod is bound, a user can only
 * add tolerations and edit the annotation. Pods of one template have equal constraints, so they share an instance.
 *
 * <p>This is a class and not a record, so that the hash is computed only once: every new pod leads to a lookup by this
 * value.
 */
public final class Scheduling {
    private static final Scheduling ANYWHERE =
            new Scheduling(Labels.none(), Optional.empty(), List.of(), List.of(), List.of(), List.of());

    /** Why the constraints were not read; the empty string if they were. */
    private final String tooComplex;

    private final Required required;
    private final Preferences preferences;

    /** The constraints of the pod's own spec, if rules were injected. */
    private final Optional<Scheduling> own;

    private final AnnotationRules annotationRules;

    /** The hash code; 0 until it is computed. */
    private int hash;

    private record Required(
            Labels nodeSelector,
            Optional<NodeSelector> nodeAffinity,
            List<PodAffinityTerm> podAffinity,
            List<PodAffinityTerm> podAntiAffinity,
            List<TopologySpreadConstraint> topologySpread,
            List<Toleration> tolerations) {
        Required {
            podAffinity = List.copyOf(podAffinity);
            podAntiAffinity = List.copyOf(podAntiAffinity);
            topologySpread = List.copyOf(topologySpread);
            tolerations = List.copyOf(tolerations);
        }
    }

    /**
     * @param nodeSelector labels that the node must have, with exactly these values
     * @param nodeAffinity the required node affinity; absent is no constraint, present without terms matches no node
     *     (NA-1)
     * @param podAffinity the required affinity terms, in the order written
     * @param podAntiAffinity the required anti-affinity terms, in the order written
     * @param topologySpread the hard spread constraints, in the order written
     * @param tolerations in the order written
     */
    public Scheduling(
            Labels nodeSelector,
            Optional<NodeSelector> nodeAffinity,
            List<PodAffinityTerm> podAffinity,
            List<PodAffinityTerm> podAntiAffinity,
            List<TopologySpreadConstraint> topologySpread,
            List<Toleration> tolerations) {
        this(
                "",
                new Required(nodeSelector, nodeAffinity, podAffinity, podAntiAffinity, topologySpread, tolerations),
                Preferences.none(),
                Optional.empty(),
                AnnotationRules.none());
    }

    private Scheduling(
            String tooComplex,
            Required required,
            Preferences preferences,
            Optional<Scheduling> own,
            AnnotationRules annotationRules) {
        this.tooComplex = tooComplex;
        this.required = required;
        this.preferences = preferences;
        this.own = own;
        this.annotationRules = annotationRules;
    }

    /** {@return the constraints of a pod that may run on any node} */
    public static Scheduling anywhere() {
        return ANYWHERE;
    }

    /**
     * {@return constraints of a pod that is too complex to be read in full} The constraints are empty, except for the
     * anti-affinity, which keeps other pods away. So such a pod must never be evicted.
     *
     * @param why what the pod has too much of: {@code its spec has 300 tolerations, and Holdfast reads at most 192}
     * @param podAntiAffinity terms that exclude at least the pods that the pod's own terms exclude
     */
    public static Scheduling tooComplex(String why, List<PodAffinityTerm> podAntiAffinity) {
        return new Scheduling(
                why,
                new Required(Labels.none(), Optional.empty(), List.of(), podAntiAffinity, List.of(), List.of()),
                Preferences.none(),
                Optional.empty(),
                AnnotationRules.none());
    }

    /**
     * {@return these constraints, some of which policies injected}
     *
     * @param without these constraints without the injected rules
     */
    public Scheduling withOwn(Scheduling without) {
        Scheduling theOwn = without.withAnnotationRules(annotationRules);
        return theOwn.equals(this) ? this : with(Optional.of(theOwn), annotationRules);
    }

    /** {@return these constraints, all of which are the pod's own} */
    Scheduling withInjectedAsOwn() {
        return own.isEmpty() ? this : with(Optional.empty(), annotationRules);
    }

    /**
     * {@return these constraints as the API server stores them for a pod with these labels (PA-7)}
     *
     * @param labels the labels that the pod is created with
     */
    public Scheduling storedFor(Labels labels) {
        boolean readsLabels = Stream.concat(podAffinity().stream(), podAntiAffinity().stream())
                .anyMatch(PodAffinityTerm::readsLabels);
        Preferences preferred = preferences.storedFor(labels);
        if (!readsLabels && preferred.equals(preferences)) {
            return this;
        }
        Required merged = new Required(
                nodeSelector(),
                nodeAffinity(),
                podAffinity().stream().map(term -> term.storedFor(labels)).toList(),
                podAntiAffinity().stream().map(term -> term.storedFor(labels)).toList(),
                topologySpread(),
                tolerations());
        return new Scheduling(tooComplex, merged, preferred, own, annotationRules);
    }

    /** {@return these constraints of a pod whose annotation has these rules} */
    public Scheduling withAnnotationRules(AnnotationRules rules) {
        return rules.equals(annotationRules) ? this : with(own.map(it -> it.withAnnotationRules(rules)), rules);
    }

    /**
     * {@return these constraints with other required rules, all of which are the pod's own; nodeSelector, tolerations
     * and preferences stay}
     */
    public Scheduling withRules(
            Optional<NodeSelector> nodeAffinity,
            List<PodAffinityTerm> podAffinity,
            List<PodAffinityTerm> podAntiAffinity,
            List<TopologySpreadConstraint> topologySpread) {
        Required others =
                new Required(nodeSelector(), nodeAffinity, podAffinity, podAntiAffinity, topologySpread, tolerations());
        return new Scheduling(tooComplex, others, preferences, Optional.empty(), annotationRules);
    }

    /** {@return these constraints of a pod that prefers something else} */
    public Scheduling withPreferences(Preferences others) {
        return others.equals(preferences)
                ? this
                : new Scheduling(
                        tooComplex, required, others, own.map(it -> it.withPreferences(others)), annotationRules);
    }

    /** {@return these constraints with other tolerations} */
    Scheduling withTolerations(List<Toleration> others) {
        return others.equals(tolerations())
                ? this
                : new Scheduling(
                        tooComplex,
                        new Required(
                                nodeSelector(),
                                nodeAffinity(),
                                podAffinity(),
                                podAntiAffinity(),
                                topologySpread(),
                                others),
                        preferences,
                        own.map(it -> it.withTolerations(others)),
                        annotationRules);
    }

    /**
     * {@return whether a pod with these constraints in its template has the other ones, apart from tolerations} The API
     * server adds selectors for {@code matchLabelKeys} to a pod, which the template does not have.
     */
    public boolean hasRulesStoredAs(Scheduling stored) {
        return nodeSelector().equals(stored.nodeSelector())
                && nodeAffinity().equals(stored.nodeAffinity())
                && areStoredAs(podAffinity(), stored.podAffinity(), PodAffinityTerm::isStoredAs)
                && areStoredAs(podAntiAffinity(), stored.podAntiAffinity(), PodAffinityTerm::isStoredAs)
                && areStoredAs(topologySpread(), stored.topologySpread(), TopologySpreadConstraint::isStoredAs);
    }

    private static <T> boolean areStoredAs(List<T> written, List<T> stored, BiPredicate<T, T> isStoredAs) {
        return written.size() == stored.size()
                && IntStream.range(0, written.size()).allMatch(i -> isStoredAs.test(written.get(i), stored.get(i)));
    }

    private Scheduling with(Optional<Scheduling> theOwn, AnnotationRules theAnnotationRules) {
        return new Scheduling(tooComplex, required, preferences, theOwn, theAnnotationRules);
    }

    /**
     * {@return what the pod requires of its own: these constraints without the rules that policies injected} The
     * policies say whether those rules still hold. A replacement of the pod gets the rules that the policies have then.
     */
    public Scheduling own() {
        return own.orElse(this);
    }

    /** {@return the rules in the pod's annotation; the scheduler knows those that were injected} */
    public AnnotationRules annotationRules() {
        return annotationRules;
    }

    /** {@return why the constraints were not read; empty if they were} */
    public Optional<String> tooComplex() {
        return tooComplex.isEmpty() ? Optional.empty() : Optional.of(tooComplex);
    }

    /** {@return what the pod prefers; the scheduler places the pod also where that does not hold} */
    public Preferences preferences() {
        return preferences;
    }

    /** {@return the labels that the node must have, with exactly these values} */
    public Labels nodeSelector() {
        return required.nodeSelector();
    }

    /** {@return the required node affinity; absent is no constraint, present without terms matches no node (NA-1)} */
    public Optional<NodeSelector> nodeAffinity() {
        return required.nodeAffinity();
    }

    /** {@return the required affinity terms, in the order written} */
    public List<PodAffinityTerm> podAffinity() {
        return required.podAffinity();
    }

    /** {@return the required anti-affinity terms, in the order written} */
    public List<PodAffinityTerm> podAntiAffinity() {
        return required.podAntiAffinity();
    }

    /** {@return the hard topology spread constraints, in the order written} */
    public List<TopologySpreadConstraint> topologySpread() {
        return required.topologySpread();
    }

    /** {@return the tolerations, in the order written} */
    public List<Toleration> tolerations() {
        return required.tolerations();
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Scheduling that
                        && tooComplex.equals(that.tooComplex)
                        && required.equals(that.required)
                        && preferences.equals(that.preferences)
                        && own.equals(that.own)
                        && annotationRules.equals(that.annotationRules));
    }

    @Override
    public int hashCode() {
        // Read the field once: another thread may set it at the same time.
        int known = hash;
        if (known == 0) {
            known = Objects.hash(tooComplex, required, preferences, own, annotationRules);
            hash = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return "Scheduling[" + (tooComplex.isEmpty() ? "" : "tooComplex=" + tooComplex + ", ") + required
                + (preferences.isEmpty() ? "" : ", " + preferences)
                + own.map(it -> ", own=" + it).orElse("")
                + (annotationRules instanceof AnnotationRules.None ? "" : ", annotationRules=" + annotationRules) + "]";
    }
}
