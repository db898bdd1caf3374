package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Whether a ClusterPlacementPolicy honors annotations of pods, workloads and namespaces that prevent an eviction or
 * lengthen the forgiveness.
 */
public enum PodOverrides {
    /** The annotations are honored. */
    HONOR("Honor"),

    /** The annotations are ignored. */
    IGNORE("Ignore"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
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
