package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** When one of a policy's own rules is required. */
public enum WhenRequired {
    /** Always: a pod into which the rule is injected stays Pending while no node satisfies it. */
    ALWAYS("Always"),

    /**
     * The rule is required where some node can satisfy it: the scheduler prefers the rule, and violations wait for such
     * a node.
     */
    POSSIBLE_AT_SCHEDULING("PossibleAtScheduling"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    WhenRequired(String label) {
        this.label = label;
    }

    @JsonCreator
    static WhenRequired of(String label) {
        return EnumText.asOneOf(values(), WhenRequired::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
