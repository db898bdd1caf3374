package dev.holdfast.operator.config;

/** How much the operator logs. */
public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
}
