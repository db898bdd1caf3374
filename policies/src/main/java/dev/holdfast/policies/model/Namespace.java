package dev.holdfast.policies.model;

/** A namespace as the API server states it. */
public record Namespace(String name, long resourceVersion, Labels labels, Marks marks) {
    /** A namespace without annotations that ask for anything. */
    public Namespace(String name, long resourceVersion, Labels labels) {
        this(name, resourceVersion, labels, Marks.none());
    }
}
