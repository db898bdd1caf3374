package dev.holdfast.operator.config;

import java.util.List;

/** A configuration file that cannot be used. The message has one line for each thing that is wrong. */
public final class ConfigException extends Exception {
    ConfigException(List<String> errors) {
        super(String.join("\n", errors));
    }
}
