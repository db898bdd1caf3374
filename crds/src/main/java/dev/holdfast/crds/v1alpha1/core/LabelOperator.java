package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.holdfast.crds.v1alpha1.choice.EnumText;

/** How a label selector compares a label with its values. */
public enum LabelOperator {
    /** The label is present with one of the values. */
    IN("In"),

    /** The label is absent, or has none of the values. */
    NOT_IN("NotIn"),

    /** The label is present. */
    EXISTS("Exists"),

    /** The label is absent. */
    DOES_NOT_EXIST("DoesNotExist"),

    /** A value this version does not know, or none where one is required; never in the schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    LabelOperator(String label) {
        this.label = label;
    }

    @JsonCreator
    static LabelOperator of(String label) {
        return EnumText.asOneOf(values(), LabelOperator::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
