package dev.holdfast.policies.evaluate;

/** Whether a rule holds for a pod where it runs. Only {@code Violated} can ever lead to an eviction. */
public sealed interface Verdict {
    record Satisfied() implements Verdict {}

    /** The scheduler would not place the pod on its node now. */
    record Violated(ViolationDetail violationDetail) implements Verdict {}

    /**
     * The question has no answer: not a violation, and an interruption of one.
     *
     * @param detail names the thing concerned, for a message
     */
    record Undetermined(Reason reason, String detail) implements Verdict {}

    /** {@return the verdict that the rule holds} */
    static Verdict satisfied() {
        return new Satisfied();
    }

    /** {@return the verdict that the rule is broken, and how} */
    static Verdict violated(ViolationDetail violationDetail) {
        return new Violated(violationDetail);
    }
}
