package dev.holdfast.operator.reconcile.status;

/** One condition, without its {@code lastTransitionTime} and {@code observedGeneration}. */
public record ConditionContent(ConditionType type, String status, String reason, String message) {
    public static final String TRUE = "True";
    public static final String FALSE = "False";
    public static final String UNKNOWN = "Unknown";

    /** {@return a condition with one of the reasons that only conditions have} */
    public static ConditionContent of(ConditionType type, String status, ConditionReason reason, String message) {
        return new ConditionContent(type, status, reason.label(), message);
    }
}
