package dev.holdfast.policies.engine.status;

import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A violation as the status of policies last counted it.
 *
 * @param held why the violation is held; present only in state HELD, once a plan has decided about the violation
 * @param lines one line for each policy in whose status the violation counts, with the policy's name for the rule
 */
record CountedViolation(
        ViolationKey key,
        Instant since,
        Instant deadline,
        ViolationState state,
        Optional<Reason> held,
        List<Line> lines) {
    CountedViolation {
        lines = List.copyOf(lines);
    }

    /**
     * A policy in whose status the violation counts, with the rule.
     *
     * @param rule the rule's name in the policy, or its kind for a rule of the pod's own spec
     */
    record Line(PolicyId policy, String rule) {}
}
