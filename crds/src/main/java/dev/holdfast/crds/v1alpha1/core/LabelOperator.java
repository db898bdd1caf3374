package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.holdfast.crds.v1alpha1.choice.EnumText;

/** The operator of a label selector requirement: how it compares a label with the values of the requirement. */
public enum LabelOperator {
    /** The label is present with one of the values. */
    IN("In"),

    /** The label is absent, or has none of the values. */
    NOT_IN("NotIn"),

    /** The label is present. */
    EXISTS("Exists"),

    /** The label is absent. */
    DOES_NOT_EXIST("DoesNotExist"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
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
