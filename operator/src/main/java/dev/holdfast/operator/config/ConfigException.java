package dev.holdfast.operator.config;

import java.util.List;

/** A configuration file that cannot be used. */
public final class ConfigException extends Exception {
    private final transient List<String> errors;

    ConfigException(List<String> errors) {
        super(String.join("\n", errors));
        this.errors = List.copyOf(errors);
    }

    /** {@return one line for each thing that is wrong: file, key, what is allowed} */
    public List<String> errors() {
        return errors;
    }
}
