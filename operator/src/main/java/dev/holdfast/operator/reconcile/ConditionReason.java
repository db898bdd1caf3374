package dev.holdfast.operator.reconcile;

/**
 * The reasons of the conditions of policies and pauses, beside those for which violations are held. The labels are API:
 * each has its row in the table of reasons in the documentation.
 */
public enum ConditionReason {
    /** The policy is valid, and its pods are held to its rules. */
    EVALUATED("Evaluated"),
    /** Nothing is known of the policy yet. */
    NOT_EVALUATED("NotEvaluated"),
    /** The spec cannot be used. */
    INVALID_SPEC("InvalidSpec"),
    /** The spec has parts that only a newer version knows. */
    UNKNOWN_FIELDS("UnknownFields"),
    /** The policy's mode is Off. */
    SWITCHED_OFF("SwitchedOff"),
    /** No rule is broken. */
    NO_VIOLATIONS("NoViolations"),
    /** Some rule is broken. */
    VIOLATIONS("Violations"),
    /** Nothing that is due is held. */
    NOTHING_HELD("NothingHeld"),
    /** The policy's mode is Audit, so there is nothing to hold. */
    AUDIT_MODE("AuditMode"),
    /** The policy asks to enforce, and the operator may not or shall not. */
    MAX_MODE("MaxMode"),
    /** The pause can be read, and counts. */
    HONOURED("Honoured"),
    /** The pause applies. */
    ACTIVE("Active"),
    /** The pause is over. */
    EXPIRED("Expired"),
    /** None of the pause's windows is open. */
    OUTSIDE_WINDOW("OutsideWindow");

    private final String label;

    ConditionReason(String label) {
        this.label = label;
    }

    /** {@return the reason as users read it} */
    public String label() {
        return label;
    }
}
