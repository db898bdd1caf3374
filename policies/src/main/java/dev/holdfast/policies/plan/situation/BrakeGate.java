package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.PolicyId;
import java.util.List;
import java.util.Optional;

/**
 * The brakes that hold evictions when many pods break rules at once: open breakers, and the backlogs of edited
 * policies.
 */
public interface BrakeGate {
    /** A gate that holds nothing: no breaker is open and no policy has a backlog. */
    BrakeGate NONE = new BrakeGate() {
        @Override
        public Optional<Hold> against(Candidate candidate) {
            return Optional.empty();
        }

        @Override
        public Optional<Hold> backlog(PolicyId policy) {
            return Optional.empty();
        }

        @Override
        public List<Resumption> resumptions() {
            return List.of();
        }
    };

    /** {@return the hold of an open breaker that concerns the candidate; empty if there is no such breaker} */
    Optional<Hold> against(Candidate candidate);

    /**
     * {@return the hold of a policy with a backlog: an edit of the policy would newly move many pods, and is not
     * acknowledged yet; empty if the policy has no backlog}
     */
    Optional<Hold> backlog(PolicyId policy);

    /** {@return the slow resumption of evictions after each breaker that closed a short time ago, one per breaker} */
    List<Resumption> resumptions();
}
