package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** A reason to hold that a policy may lift by its name. */
public enum Allowance {
    /** Pods that run to completion, and count as failed when they are evicted. */
    RUNS_TO_COMPLETION("RunsToCompletion"),

    /** Pods with files in an emptyDir on their node's disk. */
    LOCAL_STORAGE("LocalStorage"),

    /** Pods of workloads of which too few others would stay Ready. */
    TOO_FEW_REPLICAS("TooFewReplicas"),

    /** A value this version does not know, or none where one is required; never in the schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    Allowance(String label) {
        this.label = label;
    }

    @JsonCreator
    static Allowance of(String label) {
        return EnumText.asOneOf(values(), Allowance::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
