package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;

/** Holds a candidate while a breaker is open that its rule depends on. */
final class BreakerCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation.clusterSignals().breakerGate().against(candidate);
    }
}
