package dev.holdfast.operator.decode.protobuf;

/**
 * What a list says of itself.
 *
 * @param resourceVersion the state it shows; a watch from here misses nothing
 * @param continueToken asks for the page after this one; empty when there is none
 */
public record ListMetadata(long resourceVersion, String continueToken) {}
