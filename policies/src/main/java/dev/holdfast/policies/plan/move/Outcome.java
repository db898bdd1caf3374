package dev.holdfast.policies.plan.move;

/** How a move ended. */
public enum Outcome {
    /** The replacement is ready and the rule is not broken for it. */
    MOVED("Moved"),
    /** The replacement is ready, and violates the same rule again. */
    BROKEN_AGAIN("Futile"),
    /** No replacement was ready in time. */
    NOT_READY("Futile"),
    /** Nobody replaced the pod. */
    GONE("Gone");

    private final String label;

    Outcome(String label) {
        this.label = label;
    }

    /** {@return whether the move was in vain} */
    public boolean futile() {
        return this == BROKEN_AGAIN || this == NOT_READY;
    }

    /** {@return the outcome as users read it; the two that are futile have one word} */
    public String label() {
        return label;
    }
}
