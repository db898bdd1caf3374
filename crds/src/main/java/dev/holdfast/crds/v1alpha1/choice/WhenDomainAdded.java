package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * What to do with a topology spread that held when the pod was bound, and is broken now only because a domain is new or
 * can take pods again.
 */
public enum WhenDomainAdded {
    /** The pods stay where they are. */
    HOLD("Hold"),

    /** As few pods as possible are moved to restore the skew, once such a domain could have taken pods for an hour. */
    REBALANCE("Rebalance"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
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
