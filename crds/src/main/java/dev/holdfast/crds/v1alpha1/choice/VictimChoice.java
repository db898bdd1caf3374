package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** Which pods to evict when pods that must be apart are in one domain. */
public enum VictimChoice {
    /** The pod that has the rule. */
    RULE_OWNER("RuleOwner"),

    /** The pods that conflict with it, if they are few and all have a lower priority. */
    LOWEST_PRIORITY("LowestPriority"),

    /** A value this version does not know, or none where one is required; never in the schema. */
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
