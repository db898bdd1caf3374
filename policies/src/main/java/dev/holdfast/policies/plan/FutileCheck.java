package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A workload whose pods were moved twice in vain for one rule within an hour is left alone for the rest of it. */
final class FutileCheck implements Check {
    private static final int TRIES = 2;

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        if (candidate.workload().isEmpty()) {
            return Optional.empty();
        }
        Workload workload = candidate.workload().get();
        List<Instant> futile = situation
                .moves()
                .futileWithinAnHour(workload, candidate.violation().key().rule(), situation.now());
        if (futile.size() < TRIES) {
            return Optional.empty();
        }
        Instant again = futile.get(futile.size() - TRIES).plus(Moves.HOUR);
        return Optional.of(Hold.until(
                Reason.FUTILE,
                "pods of " + workload + " were moved " + futile.size()
                        + " times within an hour in vain: each replacement broke the rule again or was not ready in"
                        + " time",
                again));
    }
}
