package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** A reason for holds that a policy may switch off for its pods. */
public enum Allowance {
    /** Pods that run to completion: an eviction would count as a failure. */
    RUNS_TO_COMPLETION("RunsToCompletion"),

    /** Pods with an emptyDir on the disk of their node. */
    LOCAL_STORAGE("LocalStorage"),

    /** Pods of workloads that would keep too few Ready pods. */
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
