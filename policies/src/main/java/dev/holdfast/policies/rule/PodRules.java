package dev.holdfast.policies.rule;

import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rules that a pod itself has: those of its spec, and those of its annotation.
 *
 * <p>The required rules in a pod's own spec: one for its nodeSelector and node affinity, one for all its affinity
 * terms, one for each anti-affinity term and one for each hard spread constraint.
 *
 * <p>The affinity terms of the rules in the spec have no matchLabelKeys and mismatchLabelKeys. The API server merged
 * these keys into the selectors when the pod was created, and the scheduler ignores them afterwards (PA-7).
 */
public final class PodRules {
    private PodRules() {}

    /**
     * {@return the pod's own rules, without those that policies injected, in the order node, affinity, anti-affinity,
     * spread; empty if the pod has no constraints, or is too complex to be read in full}
     */
    public static List<Rule> of(Scheduling scheduling) {
        return rules(scheduling.own(), scheduling);
    }

    /** {@return whether a rule is one of the pod's own} */
    public static boolean isOwn(Scheduling scheduling, Rule rule) {
        return of(scheduling).stream().anyMatch(own -> own.identity().equals(rule.identity()));
    }

    /** {@return all rules in the pod's spec, also those that policies injected, in the order of {@link #of}} */
    public static List<Rule> inSpec(Scheduling scheduling) {
        return rules(scheduling, scheduling);
    }

    /**
     * {@return the rules in the pod's annotation by their names, in the order written; empty without the annotation, or
     * if it is invalid}
     */
    public static Map<String, Rule> inAnnotation(Scheduling scheduling) {
        return switch (scheduling.annotationRules()) {
            case AnnotationRules.None _, AnnotationRules.Refused _ -> Map.of();
            case AnnotationRules.Given given -> {
                Map<String, Rule> rules = new LinkedHashMap<>();
                given.rules().forEach(named -> rules.put(named.name(), rule(named.content())));
                yield rules;
            }
        };
    }

    /** {@return whether the rules in the pod's annotation replace the rules of its own spec} */
    static boolean areReplaced(Scheduling scheduling) {
        return scheduling.annotationRules() instanceof AnnotationRules.Given given
                && given.standing() == AnnotationRules.Standing.REPLACING;
    }

    private static Rule rule(AnnotationRules.Content content) {
        return switch (content) {
            case AnnotationRules.OnNodes(var nodes) -> new Rule.NodeAffinity(Labels.none(), Optional.of(nodes));
            case AnnotationRules.Near(var term) -> new Rule.PodAffinity(List.of(term));
            case AnnotationRules.ApartFrom(var term) -> new Rule.PodAntiAffinity(term);
            case AnnotationRules.Spread(var constraint) -> new Rule.TopologySpread(constraint, List.of());
        };
    }

    private static List<Rule> rules(Scheduling scheduling, Scheduling whole) {
        List<Rule> rules = new ArrayList<>();
        if (scheduling.tooComplex().isPresent()) {
            return rules;
        }
        if (!scheduling.nodeSelector().isEmpty() || scheduling.nodeAffinity().isPresent()) {
            rules.add(new Rule.NodeAffinity(scheduling.nodeSelector(), scheduling.nodeAffinity()));
        }
        if (!scheduling.podAffinity().isEmpty()) {
            rules.add(new Rule.PodAffinity(scheduling.podAffinity().stream()
                    .map(PodAffinityTerm::alreadyMerged)
                    .toList()));
        }
        scheduling.podAntiAffinity().forEach(term -> rules.add(new Rule.PodAntiAffinity(term.alreadyMerged())));
        // A node counts for each hard constraint only with the keys of all in the spec (TS-4).
        List<String> keys = whole.topologySpread().stream()
                .map(TopologySpreadConstraint::topologyKey)
                .toList();
        scheduling.topologySpread().forEach(constraint -> rules.add(new Rule.TopologySpread(constraint, keys)));
        return rules;
    }
}
