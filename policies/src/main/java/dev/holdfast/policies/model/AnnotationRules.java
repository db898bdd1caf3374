package dev.holdfast.policies.model;

import java.util.List;

/** The rules that a pod carries in its annotation {@value #ANNOTATION}. The rules apply where a policy allows them. */
public sealed interface AnnotationRules {
    String ANNOTATION = "holdfast.dev/required-during-execution";

    /** {@return the value for a pod without the annotation} */
    static AnnotationRules none() {
        return new None();
    }

    /** The pod has no such annotation. */
    record None() implements AnnotationRules {}

    /**
     * Valid rules.
     *
     * @param standing whether they are added to the rules of the pod's own spec, or replace them
     * @param text whether the API server can read the annotation
     * @param rules in the order written, with unique names
     */
    record Given(Standing standing, Text text, List<NamedRule> rules) implements AnnotationRules {
        public Given {
            rules = List.copyOf(rules);
        }

        /** Creates rules that the API server can read. */
        public Given(Standing standing, List<NamedRule> rules) {
            this(standing, Text.PLAIN, rules);
        }
    }

    /**
     * The annotation is invalid, so only the rules of the pod's own spec apply.
     *
     * @param problem what is wrong, where, and what is allowed
     */
    record Refused(String problem) implements AnnotationRules {}

    /** The relation of the rules to the rules of the pod's own spec. */
    enum Standing {
        /** A policy that allows annotation rules holds the pod to the rules of its spec and of the annotation. */
        ADDED,

        /** A policy that allows annotation rules holds the pod to the rules of the annotation alone. */
        REPLACING
    }

    /**
     * The form in which the JSON is written. CEL has no parser of JSON, so the API server reads less than Holdfast
     * does.
     */
    enum Text {
        /** Without escapes, which no rule needs. */
        PLAIN,

        /** With an escape, such as {@code \\u0061}: the API server does not inject these rules. */
        WITH_ESCAPES
    }

    /** One rule with its name. */
    record NamedRule(String name, Content content) {}

    /** The requirement of one rule. */
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
