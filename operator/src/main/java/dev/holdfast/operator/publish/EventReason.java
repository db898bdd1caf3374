package dev.holdfast.operator.publish;

/**
 * The {@code reason} and {@code type} of each Kubernetes event that the operator writes. The strings that {@link
 * #label} returns are API.
 */
public enum EventReason {
    /** A rule of the pod is broken. */
    PLACEMENT_VIOLATED("PlacementViolated", "Warning"),
    /** An annotation of the pod, its workload or its namespace is invalid and therefore ignored. */
    PLACEMENT_ANNOTATION_IGNORED("PlacementAnnotationIgnored", "Warning"),
    /** A broken rule holds again. */
    PLACEMENT_HEALED("PlacementHealed", "Normal"),
    /** Mode Enforce would evict the pod now, but the mode is Audit. */
    PLACEMENT_WOULD_EVICT("PlacementWouldEvict", "Warning"),
    /** The dry run of an eviction has passed, and the eviction is requested. */
    PLACEMENT_EVICTING("PlacementEvicting", "Normal"),
    /** The API server has accepted the eviction. */
    PLACEMENT_EVICTED("PlacementEvicted", "Normal"),
    /**
     * A rule has been broken for long enough, but no pod is evicted now, for example because of a PodDisruptionBudget.
     */
    PLACEMENT_EVICTION_BLOCKED("PlacementEvictionBlocked", "Warning"),
    /** The replacement of an evicted pod is Ready, and the rule holds. */
    PLACEMENT_MOVED("PlacementMoved", "Normal"),
    /** The replacement of an evicted pod violates the same rule, or was not Ready in time. */
    PLACEMENT_EVICTION_FUTILE("PlacementEvictionFutile", "Warning"),
    /** An evicted pod was not replaced. */
    PLACEMENT_NOT_REPLACED("PlacementNotReplaced", "Normal"),
    /**
     * A breaker has opened, or a backlog of a policy has begun: too many nodes or pods are affected at once. Evictions
     * are held until the breaker closes or the backlog ends.
     */
    ENFORCEMENT_FROZEN("EnforcementFrozen", "Warning"),
    /** A breaker has closed, or the backlog of a policy has ended: it no longer holds evictions. */
    ENFORCEMENT_RESUMED("EnforcementResumed", "Normal"),
    /**
     * The annotation {@code holdfast.dev/acknowledge} has an unknown id: no open breaker and no present backlog has it.
     */
    ACKNOWLEDGEMENT_UNKNOWN("AcknowledgementUnknown", "Warning"),
    /** A node label changes all the time on most nodes, so its changes no longer open the label breaker. */
    DYNAMIC_LABEL("DynamicLabel", "Warning"),
    /** The pod has more labels, rules or other parts than Holdfast reads of one pod, so it is never evicted. */
    POD_TOO_COMPLEX("PodTooComplex", "Warning"),
    /** Events of a policy were left out because of the rate limit. */
    PLACEMENT_EVENTS_LEFT_OUT("PlacementEventsLeftOut", "Normal");

    private final String label;
    private final String type;

    EventReason(String label, String type) {
        this.label = label;
        this.type = type;
    }

    /** {@return the {@code reason} of the event} */
    public String label() {
        return label;
    }

    /** {@return the {@code type} of the event, {@code Normal} or {@code Warning}} */
    public String type() {
        return type;
    }
}
