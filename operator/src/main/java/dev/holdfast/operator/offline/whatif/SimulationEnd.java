package dev.holdfast.operator.offline.whatif;

import com.fasterxml.jackson.annotation.JsonValue;

/** Why a simulation ends. */
public enum SimulationEnd {
    /** The requested time is over. */
    UNTIL("Until"),

    /** The passing of time alone lets the operator evict no further pod. */
    NOTHING_MORE("NothingMore"),

    /** Nothing is simulated after seven days, and the operator may evict further pods then. */
    SEVEN_DAYS("SevenDays");

    private final String label;

    SimulationEnd(String label) {
        this.label = label;
    }

    /** {@return the reason in documents} */
    @JsonValue
    public String label() {
        return label;
    }
}
