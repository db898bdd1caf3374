package dev.holdfast.policies.model;

/** A namespace as the API server states it. */
public record Namespace(String name, long resourceVersion, Labels labels) {}
