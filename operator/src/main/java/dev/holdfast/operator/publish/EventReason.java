package dev.holdfast.operator.publish;

/** The reasons and types of the Kubernetes events that the operator writes. The labels are API. */
public enum EventReason {
    /** A rule of the pod is broken. */
    PLACEMENT_VIOLATED("PlacementViolated", "Warning"),
    /** An annotation of the pod, of an owner of the pod or of its namespace has an invalid value. */
    PLACEMENT_ANNOTATION_IGNORED("PlacementAnnotationIgnored", "Warning"),
    /** A broken rule holds again. */
    PLACEMENT_HEALED("PlacementHealed", "Normal"),
    /** Forgiveness has passed, and the mode is Audit. */
    PLACEMENT_WOULD_EVICT("PlacementWouldEvict", "Warning"),
    /** The dry run of an eviction has passed, and the eviction is requested. */
    PLACEMENT_EVICTING("PlacementEvicting", "Normal"),
    /** An eviction was accepted. */
    PLACEMENT_EVICTED("PlacementEvicted", "Normal"),
    /** Forgiveness has passed, and the eviction is held. */
    PLACEMENT_EVICTION_BLOCKED("PlacementEvictionBlocked", "Warning"),
    /** The replacement of an evicted pod is Ready and its rule holds. */
    PLACEMENT_MOVED("PlacementMoved", "Normal"),
    /** The replacement of an evicted pod is not Ready in time, or violates the same rule. */
    PLACEMENT_EVICTION_FUTILE("PlacementEvictionFutile", "Warning"),
    /** An evicted pod was not replaced. */
    PLACEMENT_NOT_REPLACED("PlacementNotReplaced", "Normal"),
    /** A breaker opened, or an edit of a policy is held until it is acknowledged. */
    ENFORCEMENT_FROZEN("EnforcementFrozen", "Warning"),
    /** A breaker closed, or the backlog of a policy has ended. */
    ENFORCEMENT_RESUMED("EnforcementResumed", "Normal"),
    /** An annotation acknowledges an id that does not exist. */
    ACKNOWLEDGEMENT_UNKNOWN("AcknowledgementUnknown", "Warning"),
    /** Events of a policy were left out because of the rate limit. */
    PLACEMENT_EVENTS_LEFT_OUT("PlacementEventsLeftOut", "Normal");

    private final String label;
    private final String type;

    EventReason(String label, String type) {
        this.label = label;
        this.type = type;
    }

    /** {@return the reason as it is in the event} */
    public String label() {
        return label;
    }

    /** {@return {@code Normal} or {@code Warning}} */
    public String type() {
        return type;
    }
}
