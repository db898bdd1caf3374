package dev.holdfast.operator.publish;

/** What became of an event that was worth writing. */
public enum EventWriteResult {
    /** It stands in the cluster, as a new event or as a count. */
    WRITTEN("Written"),
    /** It was beyond the ration of its policy, and is counted in a summary. */
    LEFT_OUT("LeftOut"),
    /** It waited behind too many others, or too long for this replica to lead. */
    DROPPED("Dropped"),
    /** The API server did not take it. */
    FAILED("Failed");

    private final String label;

    EventWriteResult(String label) {
        this.label = label;
    }

    /** {@return the fate as metrics name it} */
    public String label() {
        return label;
    }
}
