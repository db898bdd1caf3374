package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;

/** One condition for the eviction of a pod. */
@FunctionalInterface
public interface Check {
    /** {@return why the candidate must not be moved now; empty if this check has no objection} */
    Optional<Hold> against(Candidate candidate, Situation situation);
}
