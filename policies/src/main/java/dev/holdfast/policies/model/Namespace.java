package dev.holdfast.policies.model;

/**
 * A namespace as the API server reports it.
 *
 * @param labels {@link Labels#unread} if there are more than Holdfast reads
 */
public record Namespace(String name, long resourceVersion, Labels labels, DisruptionAnnotations disruptionAnnotations) {
    /** A namespace without disruption annotations. */
    public Namespace(String name, long resourceVersion, Labels labels) {
        this(name, resourceVersion, labels, DisruptionAnnotations.none());
    }

    /** {@return the same namespace without acknowledged ids in its annotations} */
    public Namespace withoutAcknowledgements() {
        return new Namespace(name, resourceVersion, labels, disruptionAnnotations.withoutAcknowledgements());
    }
}
