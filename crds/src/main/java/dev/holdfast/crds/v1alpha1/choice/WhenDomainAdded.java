package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** What to do when a new, emptier domain breaks a spread that held before. */
public enum WhenDomainAdded {
    /** Pods stay where they are. */
    HOLD("Hold"),

    /** Once the domain has lasted for an hour, pods are moved there until the spread holds. */
    REBALANCE("Rebalance"),

    /** A value this version does not know, or none where one is required; never in the schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    WhenDomainAdded(String label) {
        this.label = label;
    }

    @JsonCreator
    static WhenDomainAdded of(String label) {
        return EnumText.asOneOf(values(), WhenDomainAdded::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
