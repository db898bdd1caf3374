package dev.holdfast.operator.decode;

/**
 * A fact with the resourceVersion of the object it was decoded from, for facts that have no such field.
 *
 * @param resourceVersion of the object; it grows with each change
 */
public record Versioned<T>(long resourceVersion, T fact) {}
