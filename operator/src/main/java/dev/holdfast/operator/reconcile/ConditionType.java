package dev.holdfast.operator.reconcile;

/** The types of the conditions of policies and pauses. The labels are API. */
public enum ConditionType {
    /** The policy is valid and evaluated, whether it has violations or not; or the pause is valid. */
    READY("Ready"),
    /** No rule of the policy is broken. */
    COMPLIANT("Compliant"),
    /** At least one due violation is held. */
    ENFORCEMENT_HELD("EnforcementHeld"),
    /** The pause prevents evictions now. */
    ACTIVE("Active");

    private final String label;

    ConditionType(String label) {
        this.label = label;
    }

    /** {@return the type as it is in the condition} */
    public String label() {
        return label;
    }
}
