package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.PolicyId;
import java.util.List;
import java.util.Optional;

/** The open breakers and backlogs that stop evictions when many rules break at once. */
public interface BreakerGate {
    /** No breaker is open and no policy has a backlog. */
    BreakerGate NONE = new BreakerGate() {
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

    /** {@return the hold of an open breaker that concerns the candidate; empty if none exists} */
    Optional<Hold> against(Candidate candidate);

    /**
     * {@return the hold of a policy's backlog: an edit of the policy would move too many pods at once; empty if
     * it has none}
     */
    Optional<Hold> backlog(PolicyId policy);

    /** {@return the breakers that closed a short time ago, after which evictions resume slowly} */
    List<Resumption> resumptions();
}
