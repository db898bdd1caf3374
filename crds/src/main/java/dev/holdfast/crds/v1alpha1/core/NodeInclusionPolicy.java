package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.holdfast.crds.v1alpha1.choice.EnumText;

/** Whether nodes that the pod cannot use count as domains of a spread. */
public enum NodeInclusionPolicy {
    /** Only nodes that the pod can use count. */
    HONOR("Honor"),

    /** All nodes count. */
    IGNORE("Ignore"),

    /** A value this version does not know, or none where one is required; never in the schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    NodeInclusionPolicy(String label) {
        this.label = label;
    }

    @JsonCreator
    static NodeInclusionPolicy of(String label) {
        return EnumText.asOneOf(values(), NodeInclusionPolicy::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
