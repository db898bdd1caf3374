package dev.holdfast.crds.v1alpha1.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.holdfast.crds.v1alpha1.choice.EnumText;

/** Whether a topology spread counts nodes that the pod's node affinity or untolerated taints rule out. */
public enum NodeInclusionPolicy {
    /** Nodes that the node affinity of the pod excludes, or whose taints it does not tolerate, do not count. */
    HONOR("Honor"),

    /** All nodes count. */
    IGNORE("Ignore"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
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
