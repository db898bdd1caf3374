package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** What a new, emptier domain does to a spread that was fine before. */
public enum WhenDomainAdded {
    /** Nothing: pods stay where they are. */
    HOLD("Hold"),

    /** Once it has lasted for an hour, pods are moved there until the spread is even. */
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
