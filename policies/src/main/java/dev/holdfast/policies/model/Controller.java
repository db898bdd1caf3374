package dev.holdfast.policies.model;

/** The owner reference with {@code controller: true}: who makes a replacement when the object goes. */
public record Controller(String kind, String name, String uid) {}
