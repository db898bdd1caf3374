package dev.holdfast.policies.rule;

/** Who goes when pods are together that must be apart. */
public enum VictimChoice {
    /** The pod that the rule is asked of. */
    RULE_OWNER,
    /** The few in its way, where all of them have a lower priority; else the rule owner. */
    LOWEST_PRIORITY
}
