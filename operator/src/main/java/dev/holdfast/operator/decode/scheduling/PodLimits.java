package dev.holdfast.operator.decode.scheduling;

import dev.holdfast.operator.decode.meta.LabelBlock;
import dev.holdfast.operator.decode.meta.PartCount;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Preferences;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The limits on what Holdfast reads of one pod. The API server limits only the size of the whole pod, and within its
 * 1.5 MiB a tenant can write tens of thousands of anti-affinity terms. A pod over a limit takes no more memory and no
 * more time than others: it has no rules of its own, and it is never evicted. The known parts of such a pod still count
 * for other pods, and the unknown parts count as the worst. The limits are several times what pods usually have.
 */
public final class PodLimits {
    /** The maximum number of labels; see {@link LabelBlock}. */
    public static final int LABELS = 64;

    /** The maximum number of affinity terms, anti-affinity terms and spread constraints. */
    private static final int RULES = 12;

    /** The maximum number of preferred terms and soft spread constraints; Holdfast injects at most 20 of a kind. */
    private static final int PREFERENCES = 64;

    /** The maximum number of terms, expressions, values, namespaces and tolerations; see {@link PartCount}. */
    private static final int PARTS = 192;

    /** The maximum number of characters in all terms, expressions, values, namespaces and tolerations. */
    private static final int CHARACTERS = 4 << 10;

    /** The number of topology keys for which the anti-affinity of a pod over the limits counts. */
    private static final int TOPOLOGY_KEYS = 12;

    /** The topology keys that most nodes have. These keys count first if a pod has too many. */
    private static final List<String> USUAL_KEYS =
            List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone", "topology.kubernetes.io/region");

    /** The longest label key: a prefix of 253 characters, a slash and a name of 63 characters. */
    private static final int LONGEST_KEY = 317;

    private static final Optional<LabelSelector> EVERYTHING = Optional.of(LabelSelector.everything());

    private PodLimits() {}

    /**
     * {@return these constraints; constraints that are too complex if there are more than Holdfast reads} If too
     * complex, the anti-affinity counts as one to all pods: for each topology key of its terms, in its own namespace if
     * no term of the key reaches others, else in all. Of too many keys, the usual ones come first.
     *
     * <p>Preferences have limits of their own: if there are more than Holdfast reads, they alone count as unread.
     */
    public static Scheduling limited(Scheduling read) {
        return limitedRules(tooMany(read.preferences())
                .map(why -> read.withPreferences(Preferences.unread(why)))
                .orElse(read));
    }

    private static Scheduling limitedRules(Scheduling read) {
        if (read.tooComplex().isPresent()) {
            return read;
        }
        Optional<String> ofSpec = tooMany(read, List.of());
        if (ofSpec.isPresent()) {
            return tooComplex(ofSpec.get(), read);
        }
        return switch (read.annotationRules()) {
            case AnnotationRules.None _, AnnotationRules.Refused _ -> read;
            case AnnotationRules.Given given ->
                tooMany(read, notInSpec(read, given))
                        .map(why -> read.withAnnotationRules(
                                new AnnotationRules.Refused("with its rules and those of the pod's spec, " + why)))
                        .orElse(read);
        };
    }

    /** {@return constraints that are not read, for this reason} */
    static Scheduling tooComplex(String why, Scheduling read) {
        return Scheduling.tooComplex(why, antiAffinityToAll(read.podAntiAffinity()));
    }

    /**
     * {@return the rules of an annotation that the spec does not have} Injected rules count once, or an annotation
     * would be valid only until its rules are injected.
     */
    private static List<AnnotationRules.NamedRule> notInSpec(Scheduling read, AnnotationRules.Given given) {
        return given.rules().stream()
                .filter(rule -> !isInSpec(read, rule.content()))
                .toList();
    }

    private static boolean isInSpec(Scheduling read, AnnotationRules.Content content) {
        return switch (content) {
            case AnnotationRules.OnNodes(NodeSelector nodes) ->
                read.nodeAffinity().filter(it -> isImplied(it.terms(), nodes)).isPresent();
            case AnnotationRules.Near(PodAffinityTerm term) ->
                read.podAffinity().stream().anyMatch(term::isStoredAs);
            case AnnotationRules.ApartFrom(PodAffinityTerm term) ->
                read.podAntiAffinity().stream().anyMatch(term::isStoredAs);
            case AnnotationRules.Spread(TopologySpreadConstraint constraint) ->
                read.topologySpread().stream().anyMatch(constraint::isStoredAs);
        };
    }

    private static boolean isImplied(List<NodeSelectorTerm> terms, NodeSelector nodes) {
        return terms.stream()
                .allMatch(term -> nodes.terms().stream()
                        .anyMatch(alternative -> !alternative.isEmpty()
                                && term.matchExpressions().containsAll(alternative.matchExpressions())
                                && term.matchFields().containsAll(alternative.matchFields())));
    }

    /** {@return what the pod prefers too much of} */
    private static Optional<String> tooMany(Preferences preferences) {
        int terms = preferences.nodeAffinity().size()
                + preferences.podAffinity().size()
                + preferences.podAntiAffinity().size()
                + preferences.topologySpread().size();
        if (terms > PREFERENCES) {
            return tooMany(terms, PREFERENCES, "preferred terms and soft spread constraints");
        }
        PartCount count = new PartCount();
        preferences.nodeAffinity().forEach(it -> count.add(it.term()));
        preferences.podAffinity().forEach(it -> count.add(it.term()));
        preferences.podAntiAffinity().forEach(it -> count.add(it.term()));
        preferences.topologySpread().forEach(count::add);
        if (count.parts() > PARTS) {
            return tooMany(count.parts(), PARTS, "expressions and values in its preferred terms");
        }
        return count.exceeds(PARTS, CHARACTERS)
                ? tooMany(count.characters(), CHARACTERS, "characters in its preferred terms")
                : Optional.empty();
    }

    /** {@return what the spec and rules of the annotation have too much of together} */
    private static Optional<String> tooMany(Scheduling read, List<AnnotationRules.NamedRule> annotated) {
        int rules = read.podAffinity().size()
                + read.podAntiAffinity().size()
                + read.topologySpread().size()
                + (int) annotated.stream().filter(PodLimits::isAboutPods).count();
        if (rules > RULES) {
            return tooMany(rules, RULES, "required pod (anti-)affinity terms and spread constraints");
        }
        PartCount count = new PartCount();
        annotated.forEach(rule -> add(rule, count));
        count.add(read.nodeSelector());
        read.nodeAffinity().ifPresent(it -> it.terms().forEach(count::add));
        read.podAffinity().forEach(count::add);
        read.podAntiAffinity().forEach(count::add);
        read.topologySpread().forEach(count::add);
        read.tolerations().forEach(count::add);
        if (count.parts() > PARTS) {
            return tooMany(count.parts(), PARTS, "terms, expressions, values and tolerations");
        }
        return count.exceeds(PARTS, CHARACTERS)
                ? tooMany(count.characters(), CHARACTERS, "characters in its required rules and tolerations")
                : Optional.empty();
    }

    private static boolean isAboutPods(AnnotationRules.NamedRule rule) {
        return !(rule.content() instanceof AnnotationRules.OnNodes);
    }

    private static void add(AnnotationRules.NamedRule rule, PartCount count) {
        count.add(rule.name());
        switch (rule.content()) {
            case AnnotationRules.OnNodes(NodeSelector nodes) -> nodes.terms().forEach(count::add);
            case AnnotationRules.Near(PodAffinityTerm term) -> count.add(term);
            case AnnotationRules.ApartFrom(PodAffinityTerm term) -> count.add(term);
            case AnnotationRules.Spread(TopologySpreadConstraint constraint) -> count.add(constraint);
        }
    }

    private static List<PodAffinityTerm> antiAffinityToAll(List<PodAffinityTerm> terms) {
        Map<String, Boolean> reachesOthers = new TreeMap<>();
        Stream.concat(
                        terms.stream().filter(term -> USUAL_KEYS.contains(term.topologyKey())),
                        terms.stream().filter(term -> term.topologyKey().length() <= LONGEST_KEY))
                .forEach(term -> {
                    if (reachesOthers.size() < TOPOLOGY_KEYS || reachesOthers.containsKey(term.topologyKey())) {
                        reachesOthers.merge(term.topologyKey(), !term.ofOwnNamespace(), Boolean::logicalOr);
                    }
                });
        return reachesOthers.entrySet().stream()
                .map(key -> antiAffinityToAll(key.getKey(), key.getValue() ? EVERYTHING : Optional.empty()))
                .toList();
    }

    private static PodAffinityTerm antiAffinityToAll(String topologyKey, Optional<LabelSelector> namespaces) {
        return new PodAffinityTerm(EVERYTHING, List.of(), namespaces, topologyKey, List.of(), List.of());
    }

    private static Optional<String> tooMany(int count, int most, String what) {
        return Optional.of(LabelBlock.tooMany(count, most, what));
    }
}
