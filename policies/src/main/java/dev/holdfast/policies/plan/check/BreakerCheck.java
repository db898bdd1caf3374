package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;

/** Holds a candidate while an open breaker stops all evictions, or those for a node label that the rule depends on. */
final class BreakerCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation.clusterSignals().brakeGate().against(candidate);
    }
}
