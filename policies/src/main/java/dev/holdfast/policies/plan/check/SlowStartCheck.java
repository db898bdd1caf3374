package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import dev.holdfast.policies.rule.Mode;
import java.util.Optional;

/**
 * Holds a candidate while the slow start is used up: as many moves are in flight in the cluster as the outcomes of the
 * last moves allow. Moves in mode Audit have no outcome, so the slow start does not hold them.
 */
final class SlowStartCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        int allowed = situation.moves().slowStart().allowed(situation.now());
        int inFlight = situation.moves().inFlight(_ -> true);
        return candidate.mode() == Mode.ENFORCE && inFlight >= allowed
                ? Optional.of(Hold.untilChange(
                        Reason.SLOW_START,
                        new EvictionCount(inFlight, "in the cluster").inFlight()
                                + ", and the outcomes of the last moves allow " + allowed
                                + "; each replacement that becomes Ready allows one more"))
                : Optional.empty();
    }
}
