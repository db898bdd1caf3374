package dev.holdfast.operator.reconcile;

/** The types of a policy's conditions. The labels are API. */
public enum ConditionType {
    /** The policy is valid and evaluated; violations do not touch it. */
    READY("Ready"),
    /** No rule of the policy is broken. */
    COMPLIANT("Compliant"),
    /** Something that is due is not acted on. */
    ENFORCEMENT_HELD("EnforcementHeld");

    private final String label;

    ConditionType(String label) {
        this.label = label;
    }

    /** {@return the type as users read it} */
    public String label() {
        return label;
    }
}
