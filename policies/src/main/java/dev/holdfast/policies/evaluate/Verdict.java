package dev.holdfast.policies.evaluate;

/** The result of evaluating a rule for a pod on its node. Only {@code Violated} can lead to an eviction. */
public sealed interface Verdict {
    record Satisfied() implements Verdict {}

    /** The scheduler would not place the pod on its node now, because of this rule. */
    record Violated(ViolationDetail violationDetail) implements Verdict {}

    /**
     * The rule cannot be evaluated. An undetermined verdict is no violation, and ends a violation that began earlier.
     *
     * @param detail why, as text that names the object concerned: {@code no node node-12}
     */
    record Undetermined(Reason reason, String detail) implements Verdict {}

    /** {@return the verdict that the rule holds} */
    static Verdict satisfied() {
        return new Satisfied();
    }

    /** {@return the verdict that the rule is violated, with what violates it} */
    static Verdict violated(ViolationDetail violationDetail) {
        return new Violated(violationDetail);
    }
}
