package dev.holdfast.policies.plan;

/** How a move ended. */
public enum Outcome {
    /** The replacement is ready and the rule is not broken for it. */
    MOVED("Moved"),
    /** The replacement violates the same rule again, or was not ready in time. */
    FUTILE("Futile"),
    /** Nobody replaced the pod. */
    GONE("Gone");

    private final String label;

    Outcome(String label) {
        this.label = label;
    }

    /** {@return the outcome as users read it} */
    public String label() {
        return label;
    }
}
