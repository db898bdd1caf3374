package dev.holdfast.policies.engine.report;

/** The state of a violation, as status, events and metrics show it. */
public enum ViolationState {
    /** The rule has been violated for less than the forgiveness. */
    FORGIVING("Forgiving"),
    /** The violation is due, and held for a reason. */
    HELD("Held"),
    /** The violation is due in mode Audit; mode Enforce would evict now. */
    WOULD_EVICT("WouldEvict"),
    /** A move for the violation is in flight. */
    EVICTING("Evicting");

    private final String label;

    ViolationState(String label) {
        this.label = label;
    }

    /** {@return the state as text for users} */
    public String label() {
        return label;
    }

    /** {@return whether the forgiveness has passed} */
    public boolean due() {
        return this != FORGIVING;
    }
}
