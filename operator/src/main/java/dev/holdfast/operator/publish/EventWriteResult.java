package dev.holdfast.operator.publish;

/** The result of writing an event. */
public enum EventWriteResult {
    /** The event was created or counted up. */
    WRITTEN("Written"),
    /** The event was beyond the rate limit of its policy, and is counted in a summary. */
    LEFT_OUT("LeftOut"),
    /** The queue was full, or the event waited too long for this replica to lead. */
    DROPPED("Dropped"),
    /** The API server did not accept the event. */
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
