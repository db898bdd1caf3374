package dev.holdfast.policies.model;

/**
 * A toleration as written.
 *
 * @param key empty matches every key
 * @param operator {@code Equal}, {@code Exists}, or empty, which means {@code Equal}
 * @param effect empty matches every effect
 */
public record Toleration(String key, String operator, String value, String effect) {}
