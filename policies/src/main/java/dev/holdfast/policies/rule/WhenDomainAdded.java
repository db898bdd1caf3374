package dev.holdfast.policies.rule;

/** What to do when a spread rule that held before is violated because of a new, emptier domain. */
public enum WhenDomainAdded {
    /** Hold the violation: pods stay where they are. */
    HOLD,
    /** Move pods once the violation is due, until the spread rule holds. */
    REBALANCE
}
