package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;

/**
 * Holds a candidate while a backlog of its policy holds it: many pods newly came under the policy, and no user has
 * acknowledged that yet.
 */
final class BacklogCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation
                .clusterSignals()
                .brakeGate()
                .backlog(
                        candidate.requestingPolicy().policy(),
                        candidate.violation().key());
    }
}
