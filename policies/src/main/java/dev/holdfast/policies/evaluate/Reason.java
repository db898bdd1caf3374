package dev.holdfast.policies.evaluate;

/** placeholder, completed below */
public enum Reason {
    NOT_BOUND,
    FINISHED,
    TERMINATING,
    NODE_MISSING,
    UNPARSABLE_RULE;
}
