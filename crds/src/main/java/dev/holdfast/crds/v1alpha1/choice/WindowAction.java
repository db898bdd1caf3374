package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** What an open window means for its policy: the policy may evict, or must not. */
public enum WindowAction {
    /** The policy evicts no pod. */
    DENY("Deny"),

    /**
     * The policy may evict, unless a window with {@code Deny} is open too. A policy that has windows with {@code Allow}
     * evicts nothing while all of them are closed.
     */
    ALLOW("Allow"),

    /** A value that this version does not know, or a required value that is missing; not in the CRD schema. */
    @JsonIgnore
    UNRECOGNIZED("Unrecognized");

    private final String label;

    WindowAction(String label) {
        this.label = label;
    }

    @JsonCreator
    static WindowAction of(String label) {
        return EnumText.asOneOf(values(), WindowAction::label, label).orElse(UNRECOGNIZED);
    }

    /** {@return the value as it is written in YAML} */
    @JsonValue
    public String label() {
        return label;
    }
}
