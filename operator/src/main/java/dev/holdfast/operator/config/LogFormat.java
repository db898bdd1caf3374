package dev.holdfast.operator.config;

/** The format of the operator's log. */
public enum LogFormat {
    /** One JSON object per line, for machines. */
    JSON,
    /** One line of text per entry, for people. */
    TEXT
}
