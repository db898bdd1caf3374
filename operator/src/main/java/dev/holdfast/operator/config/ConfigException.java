package dev.holdfast.operator.config;

import java.util.List;

/** Thrown for an invalid configuration file; carries all its errors. */
public final class ConfigException extends Exception {
    private final transient List<String> errors;

    ConfigException(List<String> errors) {
        super(String.join("\n", errors));
        this.errors = List.copyOf(errors);
    }

    /** {@return one line per error: file, key and what is allowed} */
    public List<String> errors() {
        return errors;
    }
}
