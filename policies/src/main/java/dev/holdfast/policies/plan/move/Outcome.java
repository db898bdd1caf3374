package dev.holdfast.policies.plan.move;

/** How a move ended. */
public enum Outcome {
    /** The replacement is Ready and breaks fewer enforced rules than the victim did. */
    MOVED("Moved"),
    /** The replacement is Ready and breaks no fewer enforced rules than the victim did: the same, or others instead. */
    BROKEN_AGAIN("Futile"),
    /** No replacement was Ready within the time that the operator allows. */
    NOT_READY("Futile"),
    /** The pod is gone and was not replaced, for example because its workload was scaled down. */
    GONE("Gone");

    private final String label;

    Outcome(String label) {
        this.label = label;
    }

    /** {@return whether the move was futile} */
    public boolean futile() {
        return this == BROKEN_AGAIN || this == NOT_READY;
    }

    /** {@return the outcome as shown to users; both futile outcomes have the same label} */
    public String label() {
        return label;
    }
}
