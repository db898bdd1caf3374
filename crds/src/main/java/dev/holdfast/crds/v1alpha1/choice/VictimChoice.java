package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** Which pods to evict when pods that an anti-affinity rule keeps apart share a domain. */
public enum VictimChoice {
    /** The rule owner: the pod that has the rule. */
    RULE_OWNER("RuleOwner"),

    /**
     * The pods that conflict with the rule owner, if they are at most five, and each may be moved and has a lower
     * priority than the rule owner. Otherwise the rule owner.
     */
    LOWEST_PRIORITY("LowestPriority"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    VictimChoice(String label) {
        this.label = label;
    }

    @JsonCreator
    static VictimChoice of(String label) {
        return EnumText.asOneOf(values(), VictimChoice::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
