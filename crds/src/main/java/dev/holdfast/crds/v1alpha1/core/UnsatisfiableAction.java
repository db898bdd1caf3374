package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.holdfast.crds.v1alpha1.choice.EnumText;

/** What the scheduler does with a pod that would break the topology spread constraint. */
public enum UnsatisfiableAction {
    /** The scheduler does not schedule the pod: the constraint is required. */
    DO_NOT_SCHEDULE("DoNotSchedule"),

    /** The constraint is only preferred. A policy refuses this value, so it is not in the CRD schema. */
    @JsonIgnore
    SCHEDULE_ANYWAY("ScheduleAnyway"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    UnsatisfiableAction(String label) {
        this.label = label;
    }

    @JsonCreator
    static UnsatisfiableAction of(String label) {
        return EnumText.asOneOf(values(), UnsatisfiableAction::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
