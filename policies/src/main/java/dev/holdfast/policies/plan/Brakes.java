package dev.holdfast.policies.plan;

import java.util.List;
import java.util.Optional;

/** What stops evictions when so much breaks at once that something else must be wrong. */
public interface Brakes {
    /** Nothing is stopped. */
    Brakes NONE = new Brakes() {
        @Override
        public Optional<Hold> against(Candidate candidate) {
            return Optional.empty();
        }

        @Override
        public List<Resumption> resumptions() {
            return List.of();
        }
    };

    /** {@return what an open breaker has against moving the candidate} */
    Optional<Hold> against(Candidate candidate);

    /** {@return the breakers that closed a short time ago, after which evictions begin slowly} */
    List<Resumption> resumptions();
}
