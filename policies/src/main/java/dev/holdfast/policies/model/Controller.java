package dev.holdfast.policies.model;

/** An owner reference with {@code controller: true}. The controller of a pod creates its replacement. */
public record Controller(String kind, String name, String uid) {}
