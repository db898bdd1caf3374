package dev.holdfast.policies.engine.status;

import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A violation as the status of policies last counted it.
 *
 * @param lines one for each policy in whose status the violation counts
 */
record CountedViolation(Instant since, List<Line> lines) {
    CountedViolation {
        lines = List.copyOf(lines);
    }

    /**
     * The violation as one policy sees it.
     *
     * @param rule the rule's name in the policy, or its kind for a rule of the pod's own spec
     * @param deadline the end of this policy's forgiveness
     * @param held why the violation is held; present only in state HELD, once a plan has decided about the violation
     */
    record Line(PolicyId policy, String rule, Instant deadline, ViolationState state, Optional<Reason> held) {}
}
