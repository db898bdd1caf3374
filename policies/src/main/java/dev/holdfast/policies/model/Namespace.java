package dev.holdfast.policies.model;

/** A namespace as the API server states it. */
public record Namespace(String name, long resourceVersion, Labels labels, DisruptionAnnotations disruptionAnnotations) {
    /** A namespace without annotations that ask for anything. */
    public Namespace(String name, long resourceVersion, Labels labels) {
        this(name, resourceVersion, labels, DisruptionAnnotations.none());
    }
}
