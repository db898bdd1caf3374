package dev.holdfast.operator.reconcile;

/** The types of the conditions of policies and pauses. The labels are API. */
public enum ConditionType {
    /** The policy is valid and evaluated; violations do not touch it. Or the pause can be read. */
    READY("Ready"),
    /** No rule of the policy is broken. */
    COMPLIANT("Compliant"),
    /** Something that is due is not acted on. */
    ENFORCEMENT_HELD("EnforcementHeld"),
    /** The pause keeps pods from being moved. */
    ACTIVE("Active");

    private final String label;

    ConditionType(String label) {
        this.label = label;
    }

    /** {@return the type as users read it} */
    public String label() {
        return label;
    }
}
