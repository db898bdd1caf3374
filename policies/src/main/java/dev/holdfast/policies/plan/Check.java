package dev.holdfast.policies.plan;

import java.util.Optional;

/** One thing that must be so before a pod is moved. */
@FunctionalInterface
interface Check {
    /** {@return why the candidate must not be moved now; empty when this check has nothing against it} */
    Optional<Hold> against(Candidate candidate, Situation situation);
}
