package dev.holdfast.policies.model;

/** The owner reference with {@code controller: true}: the controller that creates a replacement. */
public record Controller(String kind, String name, String uid) {}
