package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.holdfast.crds.v1alpha1.choice.EnumText;

/** What the scheduler does with a pod that would break the spread. */
public enum UnsatisfiableAction {
    /** The constraint is required. */
    DO_NOT_SCHEDULE("DoNotSchedule"),

    /** The constraint is only preferred; a policy does not support it, so it is never in the schema. */
    @JsonIgnore
    SCHEDULE_ANYWAY("ScheduleAnyway"),

    /** A value this version does not know, or none where one is required; never in the schema. */
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
