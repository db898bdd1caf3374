package dev.holdfast.policies.plan;

import java.util.Optional;

/** No edit of the policy waits for somebody to say that so many moves are meant. */
final class BacklogCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation.signals().brakes().backlog(candidate.asker().policy());
    }
}
