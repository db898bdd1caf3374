package dev.holdfast.operator.reconcile;

/** One condition, without its {@code lastTransitionTime} and {@code observedGeneration}. */
record ConditionContent(ConditionType type, String status, String reason, String message) {
    static final String TRUE = "True";
    static final String FALSE = "False";
    static final String UNKNOWN = "Unknown";

    /** {@return a condition with one of the reasons that only conditions have} */
    static ConditionContent of(ConditionType type, String status, ConditionReason reason, String message) {
        return new ConditionContent(type, status, reason.label(), message);
    }
}
