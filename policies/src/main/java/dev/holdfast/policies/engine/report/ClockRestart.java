package dev.holdfast.policies.engine.report;

/** Why the forgiveness of a running violation started again from the beginning. The labels are API. */
public enum ClockRestart {
    /** A view was lost, for longer than the forgiveness tolerates. */
    VIEW_LOST("ViewLost"),

    /** This replica became the leader. This replica does not know what an earlier leader did. */
    LEADERSHIP_GAINED("LeadershipGained"),

    /** No operator ran, for longer than the forgiveness tolerates, or the policy was edited meanwhile. */
    OPERATOR_AWAY("OperatorAway"),

    /** No replica led, for longer than the forgiveness tolerates. */
    LEADERSHIP_GAP("LeadershipGap"),

    /** The operator may enforce now, and could not before. */
    CEILING_RAISED("CeilingRaised"),

    /** An edit of a policy lets more pods be evicted. */
    POLICY_WIDENED("PolicyWidened"),

    /** An annotation that protected the pod was removed or weakened. */
    ANNOTATION_REMOVED("AnnotationRemoved");

    private final String label;

    ClockRestart(String label) {
        this.label = label;
    }

    /** {@return the word in metrics} */
    public String label() {
        return label;
    }
}
