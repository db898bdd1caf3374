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
 * @param held why it is held; only in state HELD, and absent even there until a plan has looked at it
 * @param lines one for each policy that asks for the rule
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
     * Where it is counted.
     *
     * @param rule as the policy names it
     */
    record Line(PolicyId policy, String rule) {}
}
