package dev.holdfast.operator.reconcile.status;

/**
 * The types of the conditions in the status of policies and pauses. The strings that {@link #label} returns are API.
 */
public enum ConditionType {
    /** Whether a policy is valid and evaluated, with violations or not, or whether a pause is valid. */
    READY("Ready"),
    /** Whether any rule of a policy can do something in the cluster as it is. */
    EFFECTIVE("Effective"),
    /** Whether none of a policy's rules is broken. */
    COMPLIANT("Compliant"),
    /**
     * Whether a policy's mode is Enforce, but the operator may evict nothing at all, or something prevents a due
     * eviction, for example a PodDisruptionBudget.
     */
    ENFORCEMENT_HELD("EnforcementHeld"),
    /**
     * Whether the API server adds the rules of an injecting policy to new pods, so that the scheduler requires them.
     */
    SCHEDULING_ENFORCED("SchedulingEnforced"),
    /** Whether a pause prevents evictions now. */
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
