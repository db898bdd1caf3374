package dev.holdfast.policies.model;

/** A namespace as the API server reports it. */
public record Namespace(String name, long resourceVersion, Labels labels, DisruptionAnnotations disruptionAnnotations) {
    /** A namespace without disruption annotations. */
    public Namespace(String name, long resourceVersion, Labels labels) {
        this(name, resourceVersion, labels, DisruptionAnnotations.none());
    }
}
