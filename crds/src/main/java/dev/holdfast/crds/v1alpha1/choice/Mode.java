package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** What a policy or one of its rules may do, the weakest first. */
public enum Mode {
    /** Not evaluated. */
    OFF("Off"),

    /** Observed and reported; nothing is evicted. */
    AUDIT("Audit"),

    /** Observed, reported and, where safe, evicted. */
    ENFORCE("Enforce"),

    /** A value this version does not know, or none where one is required; never in the schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    Mode(String label) {
        this.label = label;
    }

    @JsonCreator
    static Mode of(String label) {
        return EnumText.asOneOf(values(), Mode::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }

    /**
     * {@return the weaker of the two} A rule in an Audit policy is audited even if its own mode says Enforce, and an
     * unrecognized mode is the weakest, so that it evicts nothing.
     */
    public Mode atMost(Mode ceiling) {
        if (this == UNRECOGNIZED || ceiling == UNRECOGNIZED) {
            return UNRECOGNIZED;
        }
        return compareTo(ceiling) <= 0 ? this : ceiling;
    }
}
