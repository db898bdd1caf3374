package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;

/** No edit of the policy waits for somebody to say that so many moves are meant. */
final class BacklogCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation
                .signals()
                .breakerGate()
                .backlog(candidate.requestingPolicy().policy());
    }
}
