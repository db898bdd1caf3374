package dev.holdfast.policies.rule;

/** Where a policy that requests a rule of a pod has the rule from. */
public enum RuleSource {
    /** The pod's own spec, which the scheduler knows too. */
    POD_SPEC,

    /** The pod's annotation. Whoever may write the pod may write such a rule, at any time. */
    POD_ANNOTATION,

    /** The policy itself. */
    POLICY
}
