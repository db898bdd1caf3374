package dev.holdfast.policies.engine.status;

import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A running violation as it was last counted.
 *
 * @param held why it is held; present only in state HELD, once a plan has decided about it
 * @param lines one for each requesting policy
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
     * A rule of a policy for which the violation counts.
     *
     * @param rule the name of the rule in the policy
     */
    record Line(PolicyId policy, String rule) {}
}
