package dev.holdfast.operator.config;

/** How the operator's log is written. */
public enum LogFormat {
    /** One JSON object a line, for machines. */
    JSON,
    /** One line of text an entry, for people. */
    TEXT
}
