package dev.holdfast.operator.decode;

/**
 * A decoded object with its resourceVersion, for model records that have no resourceVersion themselves.
 *
 * @param resourceVersion the version of the object, which grows with each change of the object
 * @param object the decoded object
 */
public record Versioned<T>(long resourceVersion, T object) {}
