package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * What the operator may do for a policy or one of its rules. The order of the constants is from weakest to strongest.
 */
public enum Mode {
    /** The rules are not evaluated. */
    DISABLED("Disabled"),

    /** Violations are reported; nothing is evicted. */
    AUDIT("Audit"),

    /** Violations are reported, and pods are evicted where all checks pass. */
    ENFORCE("Enforce"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
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
     * {@return the weaker of this mode and {@code ceiling}} For example, Enforce for a rule in an Audit policy is
     * Audit. {@code UNRECOGNIZED} is weaker than every other mode, so that nothing is evicted.
     */
    public Mode atMost(Mode ceiling) {
        if (this == UNRECOGNIZED || ceiling == UNRECOGNIZED) {
            return UNRECOGNIZED;
        }
        return compareTo(ceiling) <= 0 ? this : ceiling;
    }
}
