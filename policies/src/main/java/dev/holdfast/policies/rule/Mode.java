package dev.holdfast.policies.rule;

/** How far a policy goes, from nothing to evictions; ordered, so that a ceiling is a minimum. */
public enum Mode {
    OFF("Off"),
    AUDIT("Audit"),
    ENFORCE("Enforce");

    private final String label;

    Mode(String label) {
        this.label = label;
    }

    /** {@return the mode as users write and read it} */
    public String label() {
        return label;
    }

    /** {@return this mode, or the ceiling if this one goes further} */
    public Mode atMost(Mode ceiling) {
        return compareTo(ceiling) <= 0 ? this : ceiling;
    }
}
