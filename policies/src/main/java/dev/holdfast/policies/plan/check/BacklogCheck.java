package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;

/** Holds a candidate while the policy has a backlog: an edit that would move many pods and is not acknowledged yet. */
final class BacklogCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation
                .clusterSignals()
                .breakerGate()
                .backlog(candidate.requestingPolicy().policy());
    }
}
