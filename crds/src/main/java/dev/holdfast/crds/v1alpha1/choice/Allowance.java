package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** A hold that a policy may switch off for its pods, so that they are evicted nevertheless. */
public enum Allowance {
    /** Holds pods that run to completion, such as pods of a Job, because an eviction would count as a failure. */
    RUNS_TO_COMPLETION("RunsToCompletion"),

    /** Holds pods that have an emptyDir on the disk of their node. */
    LOCAL_STORAGE("LocalStorage"),

    /** Holds pods of a workload that would have too few Ready pods after the eviction. */
    TOO_FEW_REPLICAS("TooFewReplicas"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
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
