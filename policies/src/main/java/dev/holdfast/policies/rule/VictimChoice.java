package dev.holdfast.policies.rule;

/** Which pod is evicted when an anti-affinity rule is violated. */
public enum VictimChoice {
    /** The rule owner. */
    RULE_OWNER,
    /** The few conflicting partners, if all of them have a lower priority; else the rule owner. */
    LOWEST_PRIORITY
}
