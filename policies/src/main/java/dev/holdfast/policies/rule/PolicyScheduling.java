package dev.holdfast.policies.rule;

/** What a policy does with its own rules when a pod that it selects is created. */
public enum PolicyScheduling {
    /** Nothing: the scheduler does not know the rules, which hold at execution alone. */
    NONE,

    /** The API server adds the rules to the pod's spec, so that the scheduler places the pod by them. */
    INJECT
}
