package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** Whether a cluster policy respects annotations that keep a pod or lengthen its forgiveness. */
public enum PodOverrides {
    /** The annotations count. */
    HONOR("Honor"),

    /** The annotations are ignored. */
    IGNORE("Ignore"),

    /** A value this version does not know, or none where one is required; never in the schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    PodOverrides(String label) {
        this.label = label;
    }

    @JsonCreator
    static PodOverrides of(String label) {
        return EnumText.asOneOf(values(), PodOverrides::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
