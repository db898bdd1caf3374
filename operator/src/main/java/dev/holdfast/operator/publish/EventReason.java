package dev.holdfast.operator.publish;

/** The reasons of the Kubernetes events that the operator writes. The labels are API. */
public enum EventReason {
    /** A rule of the pod is broken. */
    PLACEMENT_VIOLATED("PlacementViolated", "Warning"),
    /** An annotation of the pod, of what made it or of its namespace cannot be read. */
    PLACEMENT_ANNOTATION_IGNORED("PlacementAnnotationIgnored", "Warning"),
    /** A broken rule holds again. */
    PLACEMENT_HEALED("PlacementHealed", "Normal"),
    /** Forgiveness has passed, and the policy only audits. */
    PLACEMENT_WOULD_EVICT("PlacementWouldEvict", "Warning"),
    /** The dry run of an eviction has passed, and the eviction is asked for. */
    PLACEMENT_EVICTING("PlacementEvicting", "Normal"),
    /** An eviction was accepted. */
    PLACEMENT_EVICTED("PlacementEvicted", "Normal"),
    /** Forgiveness has passed, and something keeps the pod from being evicted. */
    PLACEMENT_EVICTION_BLOCKED("PlacementEvictionBlocked", "Warning"),
    /** The replacement of an evicted pod is ready and its rule holds. */
    PLACEMENT_MOVED("PlacementMoved", "Normal"),
    /** The replacement of an evicted pod is not ready in time, or breaks the same rule. */
    PLACEMENT_EVICTION_FUTILE("PlacementEvictionFutile", "Warning"),
    /** Nobody replaced an evicted pod. */
    PLACEMENT_NOT_REPLACED("PlacementNotReplaced", "Normal"),
    /** A breaker opened, or an edit of a policy is held until it is acknowledged. */
    ENFORCEMENT_FROZEN("EnforcementFrozen", "Warning"),
    /** A breaker closed, or the backlog of a policy is over. */
    ENFORCEMENT_RESUMED("EnforcementResumed", "Normal"),
    /** An annotation acknowledges what there is not. */
    ACKNOWLEDGEMENT_UNKNOWN("AcknowledgementUnknown", "Warning"),
    /** More happened than is worth an event each. */
    PLACEMENT_EVENTS_LEFT_OUT("PlacementEventsLeftOut", "Normal");

    private final String label;
    private final String type;

    EventReason(String label, String type) {
        this.label = label;
        this.type = type;
    }

    /** {@return the reason as users read it} */
    public String label() {
        return label;
    }

    /** {@return {@code Normal} or {@code Warning}} */
    public String type() {
        return type;
    }
}
