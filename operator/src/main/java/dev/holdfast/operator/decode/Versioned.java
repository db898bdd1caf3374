package dev.holdfast.operator.decode;

/**
 * A fact that does not say itself which version of its object it was made of.
 *
 * @param resourceVersion of the object; a later one has a larger number
 */
public record Versioned<T>(long resourceVersion, T fact) {}
