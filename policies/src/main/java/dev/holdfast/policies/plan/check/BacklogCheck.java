package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;

/**
 * Holds a candidate while its policy has a backlog: an edit of the policy would newly move many pods, and no user has
 * acknowledged it yet.
 */
final class BacklogCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation
                .clusterSignals()
                .brakeGate()
                .backlog(candidate.requestingPolicy().policy());
    }
}
