package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** Which kinds of required rules in the pods' own spec a policy enforces or audits. */
public enum PodRuleSelection {
    /** All four kinds. */
    ALL("All"),

    /** The kinds that {@code podRules} lists. */
    LISTED("Listed"),

    /** No kind: the policy is about its own {@code rules} only. */
    NONE("None"),

    /** A value that this version does not know; not in the CRD schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    PodRuleSelection(String label) {
        this.label = label;
    }

    @JsonCreator
    static PodRuleSelection of(String label) {
        return EnumText.asOneOf(values(), PodRuleSelection::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
