package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** The kinds of required rule in a pod's own spec. */
public enum RuleKind {
    /** Node affinity: {@code nodeSelector} and required node affinity of a pod are one rule together. */
    NODE_AFFINITY("NodeAffinity"),

    /** Pod affinity: all required terms of a pod are one rule together. */
    POD_AFFINITY("PodAffinity"),

    /** Pod anti-affinity: each required term of a pod is one rule. */
    POD_ANTI_AFFINITY("PodAntiAffinity"),

    /** Topology spread: each constraint of a pod with {@code DoNotSchedule} is one rule. */
    TOPOLOGY_SPREAD("TopologySpread"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
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
