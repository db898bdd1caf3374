package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** What happens with a policy's own rules when a pod that it selects is created. */
public enum RuleInjection {
    /** Nothing: the rules hold at execution alone. */
    NONE("None"),

    /**
     * The API server adds the rules to the pod's spec, so that the scheduler places the pod by them. Mode is not Audit.
     */
    INJECT("Inject"),

    /** Like INJECT, but also while the policy or the rule is only audited. */
    INJECT_ALSO_IN_AUDIT("InjectAlsoInAudit"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    RuleInjection(String label) {
        this.label = label;
    }

    @JsonCreator
    static RuleInjection of(String label) {
        return EnumText.asOneOf(values(), RuleInjection::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
