package dev.holdfast.policies.rule;

/** What to do when a spread rule is violated only because a new domain has fewer pods than the others. */
public enum WhenDomainAdded {
    /** Hold the violation, so that pods stay where they are. */
    HOLD,
    /** Move pods once the violation is due, until the spread rule holds. */
    REBALANCE
}
