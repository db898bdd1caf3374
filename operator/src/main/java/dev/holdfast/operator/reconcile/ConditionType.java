package dev.holdfast.operator.reconcile;

/**
 * The types of the conditions in the status of policies and pauses. The strings that {@link #label} returns are API.
 */
public enum ConditionType {
    /** Of a policy: it is valid and evaluated, whether it has violations or not. Of a pause: it is valid. */
    READY("Ready"),
    /** Of a policy: none of its rules is broken. */
    COMPLIANT("Compliant"),
    /**
     * Of a policy: its mode is Enforce, but the operator may evict nothing at all, or something prevents an eviction
     * that is due, for example a PodDisruptionBudget.
     */
    ENFORCEMENT_HELD("EnforcementHeld"),
    /**
     * Of a policy that injects its rules: the API server adds them to new pods, so that the scheduler requires them.
     */
    SCHEDULING_ENFORCED("SchedulingEnforced"),
    /** Of a pause: it prevents evictions now. */
    ACTIVE("Active");

    private final String label;

    ConditionType(String label) {
        this.label = label;
    }

    /** {@return the value of the condition's {@code type}} */
    public String label() {
        return label;
    }
}
