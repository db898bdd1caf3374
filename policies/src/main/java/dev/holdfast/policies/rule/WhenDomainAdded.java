package dev.holdfast.policies.rule;

/** What a new, emptier domain does to a spread that was fine before. */
public enum WhenDomainAdded {
    /** Nothing: pods stay where they are. */
    HOLD,
    /** Once it has lasted, pods are moved there until the spread is even. */
    REBALANCE
}
