package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** What a policy does with the rules in the annotations of pods that it selects. */
public enum AnnotationRules {
    /** Pods are not held to the rules in their annotations. */
    IGNORE("Ignore"),

    /** Pods are held to the rules in their annotations, under the policy's own mode, forgiveness, limits and trust. */
    ALLOW("Allow"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    AnnotationRules(String label) {
        this.label = label;
    }

    @JsonCreator
    static AnnotationRules of(String label) {
        return EnumText.asOneOf(values(), AnnotationRules::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
