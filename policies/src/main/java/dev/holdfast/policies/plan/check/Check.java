package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;

/** A check that a candidate must pass before its pod is evicted. */
@FunctionalInterface
public interface Check {
    /** {@return the reason why the candidate must not move now; empty if it passes this check} */
    Optional<Hold> against(Candidate candidate, Situation situation);
}
