package dev.holdfast.policies.model;

import java.util.List;

/** The rules that a pod carries in its annotation {@value #ANNOTATION}. They apply where a policy allows them. */
public sealed interface AnnotationRules {
    String ANNOTATION = "holdfast.dev/required-during-execution";

    /** {@return what a pod without the annotation has} */
    static AnnotationRules none() {
        return new None();
    }

    /** The pod has no such annotation. */
    record None() implements AnnotationRules {}

    /**
     * Valid rules.
     *
     * @param standing whether they are added to the rules of the pod's own spec, or stand in for them
     * @param rules in the order written, with unique names
     */
    record Given(Standing standing, List<NamedRule> rules) implements AnnotationRules {
        public Given {
            rules = List.copyOf(rules);
        }
    }

    /**
     * The annotation is invalid, so none of its rules applies, and those of the pod's own spec do.
     *
     * @param problem what is wrong, where, and what is allowed
     */
    record Refused(String problem) implements AnnotationRules {}

    /** How the rules relate to those of the pod's own spec. */
    enum Standing {
        /** A policy that allows annotation rules holds the pod to both. */
        ADDED,

        /** A policy that allows annotation rules holds the pod to these alone. */
        REPLACING
    }

    /** One rule with its name. */
    record NamedRule(String name, Content content) {}

    /** What one rule requires. */
    sealed interface Content {}

    /** The pod must run on a node that the selector matches. */
    record OnNodes(NodeSelector nodes) implements Content {}

    /** The pod must share a domain with a pod that the term matches. */
    record Near(PodAffinityTerm term) implements Content {}

    /** The pod must share no domain with a pod that the term matches. */
    record ApartFrom(PodAffinityTerm term) implements Content {}

    /** The pods that the constraint selects must be spread evenly. */
    record Spread(TopologySpreadConstraint constraint) implements Content {}
}
