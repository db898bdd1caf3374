package dev.holdfast.operator.reconcile;

/**
 * The reasons of the conditions of policies and pauses, in addition to the reasons of holds. The labels are API: each
 * has a row in the table of reasons in the documentation.
 */
public enum ConditionReason {
    /** The policy is valid, and its rules are evaluated. */
    EVALUATED("Evaluated"),
    /** The policy is not evaluated yet. */
    NOT_EVALUATED("NotEvaluated"),
    /** The spec is invalid. */
    INVALID_SPEC("InvalidSpec"),
    /** The spec has fields or values that this version does not know. */
    UNKNOWN_FIELDS("UnknownFields"),
    /** The policy's mode is Off. */
    SWITCHED_OFF("SwitchedOff"),
    /** No rule is broken. */
    NO_VIOLATIONS("NoViolations"),
    /** At least one rule is broken. */
    VIOLATIONS("Violations"),
    /** No due violation is held. */
    NOTHING_HELD("NothingHeld"),
    /** The policy's mode is Audit, so nothing is enforced. */
    AUDIT_MODE("AuditMode"),
    /** The policy's mode is Enforce, but the operator lacks the right to evict or its maxMode is Audit. */
    MAX_MODE("MaxMode"),
    /** The pause is valid and honoured. */
    HONOURED("Honoured"),
    /** The pause applies now. */
    ACTIVE("Active"),
    /** The pause has expired. */
    EXPIRED("Expired"),
    /** None of the pause's windows is open. */
    OUTSIDE_WINDOW("OutsideWindow");

    private final String label;

    ConditionReason(String label) {
        this.label = label;
    }

    /** {@return the reason as it is in the condition} */
    public String label() {
        return label;
    }
}
