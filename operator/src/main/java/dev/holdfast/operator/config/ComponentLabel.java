package dev.holdfast.operator.config;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The label {@code holdfast.dev/component} of an operator's ConfigMaps. Commands find the ConfigMaps by this label,
 * because a release can choose the names of its objects, but not the label.
 */
public enum ComponentLabel {
    CONFIGURATION("configuration"),
    LEDGER("ledger");

    /** The key of the label. */
    public static final String KEY = "holdfast.dev/component";

    private final String value;

    ComponentLabel(String value) {
        this.value = value;
    }

    /** {@return the value of the label} */
    public String value() {
        return value;
    }

    /** {@return whether an object has the label with this value} */
    public boolean isOf(JsonNode object) {
        return object.path("metadata").path("labels").path(KEY).asText().equals(value);
    }

    /** {@return the label as a selector, {@code key=value}} */
    @Override
    public String toString() {
        return KEY + "=" + value;
    }
}
