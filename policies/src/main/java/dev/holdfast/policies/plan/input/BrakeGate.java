package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.PolicyId;
import java.util.List;
import java.util.Optional;

/**
 * The brakes that hold evictions when many pods break rules at once: open breakers, and the backlogs of
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
        public Optional<Hold> backlog(PolicyId policy, ViolationKey violation) {
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
     * {@return the hold of a violation by the backlog of a policy: many pods newly came under the policy, and no user
     * has acknowledged that yet; empty if the policy has no backlog that holds the violation}
     */
    Optional<Hold> backlog(PolicyId policy, ViolationKey violation);

    /** {@return the slow resumption of evictions after each breaker that closed a short time ago, one per breaker} */
    List<Resumption> resumptions();
}
