package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** A safety check that a policy may switch off, so that its pods are evicted even where the check fails. */
public enum Allowance {
    /**
     * Without this allowance, no pod that runs to completion is evicted, because its Job would count that as a failure.
     */
    RUNS_TO_COMPLETION("RunsToCompletion"),

    /** Without this allowance, no pod that has an emptyDir on the disk of its node is evicted. */
    LOCAL_STORAGE("LocalStorage"),

    /** Without this allowance, no pod is evicted whose workload would then have too few Ready pods. */
    TOO_FEW_REPLICAS("TooFewReplicas"),

    /**
     * Without this allowance, no pod is evicted whose replacement a scheduler would place that Holdfast does not know.
     */
    FOREIGN_SCHEDULER("ForeignScheduler"),

    /**
     * Without this allowance, no pod is evicted that names an eviction responder, because an eviction does not ask the
     * responder.
     */
    HAS_EVICTION_RESPONDER("HasEvictionResponder"),

    /**
     * Without this allowance, no pod is evicted whose controller is of a kind that may create no other pod, for example
     * a custom resource.
     */
    UNKNOWN_CONTROLLER("UnknownController"),

    /**
     * Without this allowance, no pod is evicted whose Pod Security level its namespace refuses, or whose LimitRanges
     * are not read. The API server may exempt users and RuntimeClasses that Holdfast does not know. A LimitRange that
     * is read and refuses the pod holds it in any case.
     */
    REPLACEMENT_REFUSED("ReplacementRefused"),

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
