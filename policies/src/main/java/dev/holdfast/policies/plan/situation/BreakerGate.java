package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.PolicyId;
import java.util.List;
import java.util.Optional;

/** What stops evictions when so much breaks at once that something else must be wrong. */
public interface BreakerGate {
    /** Nothing is stopped. */
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

    /** {@return what an open breaker has against moving the candidate} */
    Optional<Hold> against(Candidate candidate);

    /** {@return what is against moving any pod for a policy, since an edit of it would have too many moved at once} */
    Optional<Hold> backlog(PolicyId policy);

    /** {@return the breakers that closed a short time ago, after which evictions begin slowly} */
    List<Resumption> resumptions();
}
