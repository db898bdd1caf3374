package dev.holdfast.policies.rule;

/** Which pods are evicted when an anti-affinity rule is violated. */
public enum VictimChoice {
    /** The rule owner. */
    RULE_OWNER,
    /**
     * The conflicting partners, if they are at most five and each has a lower priority than the rule owner and may be
     * evicted. Otherwise the rule owner.
     */
    LOWEST_PRIORITY
}
