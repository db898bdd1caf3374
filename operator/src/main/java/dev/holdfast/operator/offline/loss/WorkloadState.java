package dev.holdfast.operator.offline.loss;

import com.fasterxml.jackson.annotation.JsonValue;

/** How a workload bears a change, from the mildest to the worst. */
public enum WorkloadState {
    /** As many pods are Ready as before. */
    FINE("Fine", "fine"),

    /** Fewer pods are Ready than before. */
    DEGRADED("Degraded", "degraded"),

    /** Fewer pods are Ready than before, and than a disruption budget requires. */
    BELOW_BUDGET("BelowBudget", "below its budget"),

    /** No pod is Ready. */
    GONE("Gone", "gone");

    private final String label;
    private final String words;

    WorkloadState(String label, String words) {
        this.label = label;
        this.words = words;
    }

    /** {@return the state in documents} */
    @JsonValue
    public String label() {
        return label;
    }

    /** {@return the state in tables} */
    public String words() {
        return words;
    }
}
