package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.holdfast.crds.v1alpha1.choice.EnumText;

/** The operator of a {@code matchFields} requirement: how it compares the name of the node with the given name. */
public enum NodeFieldOperator {
    /** The node has this name. */
    IN("In"),

    /** The node has another name. */
    NOT_IN("NotIn"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    NodeFieldOperator(String label) {
        this.label = label;
    }

    @JsonCreator
    static NodeFieldOperator of(String label) {
        return EnumText.asOneOf(values(), NodeFieldOperator::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
