package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** The kinds of required rule in a pod's own spec. */
public enum RuleKind {
    /** {@code nodeSelector} and required node affinity, together. */
    NODE_AFFINITY("NodeAffinity"),

    /** All required pod affinity terms, together. */
    POD_AFFINITY("PodAffinity"),

    /** Each required pod anti-affinity term. */
    POD_ANTI_AFFINITY("PodAntiAffinity"),

    /** Each topology spread constraint with {@code DoNotSchedule}. */
    TOPOLOGY_SPREAD("TopologySpread"),

    /** A value this version does not know, or none where one is required; never in the schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    RuleKind(String label) {
        this.label = label;
    }

    @JsonCreator
    static RuleKind of(String label) {
        return EnumText.asOneOf(values(), RuleKind::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
