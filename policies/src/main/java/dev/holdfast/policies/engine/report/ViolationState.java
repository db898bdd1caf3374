package dev.holdfast.policies.engine.report;

/** Where a violation is in its life. */
public enum ViolationState {
    /** Broken for less than its forgiveness. */
    FORGIVING("Forgiving"),
    /** Due, and held for a reason. */
    HELD("Held"),
    /** Due in an audited policy, and Enforce would evict now. */
    WOULD_EVICT("WouldEvict"),
    /** The eviction is on its way. */
    EVICTING("Evicting");

    private final String label;

    ViolationState(String label) {
        this.label = label;
    }

    /** {@return the state as users read it} */
    public String label() {
        return label;
    }

    /** {@return whether forgiveness has passed} */
    public boolean due() {
        return this != FORGIVING;
    }
}
