package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** What to do with a due violation while no other node would take the pod. */
public enum WhenInfeasible {
    /** The violation is held until another node would take the pod. */
    WAIT("Wait"),

    /** The pod is evicted, although its replacement may stay Pending. */
    EVICT("Evict"),

    /** The violation is held for {@code infeasibleEvictAfterSeconds}, then the pod is evicted nevertheless. */
    EVICT_AFTER("EvictAfter"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    WhenInfeasible(String label) {
        this.label = label;
    }

    @JsonCreator
    static WhenInfeasible of(String label) {
        return EnumText.asOneOf(values(), WhenInfeasible::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
