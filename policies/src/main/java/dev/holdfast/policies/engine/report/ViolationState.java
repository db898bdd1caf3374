package dev.holdfast.policies.engine.report;

/** The state of a violation. */
public enum ViolationState {
    /** Violated for less than its forgiveness. */
    FORGIVING("Forgiving"),
    /** Due, and held for a reason. */
    HELD("Held"),
    /** Due in an Audit policy, and Enforce would evict now. */
    WOULD_EVICT("WouldEvict"),
    /** A move for it is in flight. */
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
