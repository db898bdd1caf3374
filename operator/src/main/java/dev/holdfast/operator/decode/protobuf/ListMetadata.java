package dev.holdfast.operator.decode.protobuf;

/**
 * The metadata of a list.
 *
 * @param resourceVersion the version of the state that the list shows; a watch from this version misses nothing
 * @param continueToken the token for the next page; empty on the last page
 */
public record ListMetadata(long resourceVersion, String continueToken) {}
