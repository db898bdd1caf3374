package dev.holdfast.policies.plan;

import java.util.Optional;

/** No breaker is open that the candidate's rule depends on. */
final class BreakerCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation.signals().brakes().against(candidate);
    }
}
