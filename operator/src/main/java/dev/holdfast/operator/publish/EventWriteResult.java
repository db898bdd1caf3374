package dev.holdfast.operator.publish;

/** The result of writing a Kubernetes event. */
public enum EventWriteResult {
    /** The event was created, or the count of an existing event was increased. */
    WRITTEN("Written"),
    /** The event was over the rate limit of its policy, and is only counted in a summary. */
    LEFT_OUT("LeftOut"),
    /** The queue was full, or this replica did not become the leader within a minute or before it stopped. */
    DROPPED("Dropped"),
    /** The event could not be written, for example because the API server refused it. */
    FAILED("Failed");

    private final String label;

    EventWriteResult(String label) {
        this.label = label;
    }

    /** {@return the value of the metric label {@code fate}} */
    public String label() {
        return label;
    }
}
