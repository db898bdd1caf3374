package dev.holdfast.policies.rule;

/** The mode of a policy or rule, in ascending order: no effect, report only, evict. */
public enum Mode {
    DISABLED("Disabled"),
    AUDIT("Audit"),
    ENFORCE("Enforce");

    private final String label;

    Mode(String label) {
        this.label = label;
    }

    /** {@return the mode as users write it in a policy: {@code Enforce}} */
    public String label() {
        return label;
    }

    /** {@return the weaker of this mode and the ceiling} */
    public Mode atMost(Mode ceiling) {
        return compareTo(ceiling) <= 0 ? this : ceiling;
    }
}
