package dev.holdfast.policies.evaluate;

/** The result of evaluating a rule for a pod on its node. Only {@code Violated} can lead to an eviction. */
public sealed interface Verdict {
    record Satisfied() implements Verdict {}

    /** The scheduler would not place the pod on its node now. */
    record Violated(ViolationDetail violationDetail) implements Verdict {}

    /**
     * The rule cannot be evaluated. This is not a violation, and it interrupts a running one.
     *
     * @param detail names the object concerned, for a message
     */
    record Undetermined(Reason reason, String detail) implements Verdict {}

    /** {@return the verdict that the rule holds} */
    static Verdict satisfied() {
        return new Satisfied();
    }

    /** {@return the verdict that the rule is violated, with the details} */
    static Verdict violated(ViolationDetail violationDetail) {
        return new Violated(violationDetail);
    }
}
