package dev.holdfast.crds.v1alpha1.choice;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

/** What a window does while it is open. */
public enum WindowAction {
    /** The policy evicts no pod. */
    DENY("Deny"),

    /** The policy may evict, unless another window denies it. */
    ALLOW("Allow"),

    /** A value this version does not know, or none where one is required; never in the schema. */
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
