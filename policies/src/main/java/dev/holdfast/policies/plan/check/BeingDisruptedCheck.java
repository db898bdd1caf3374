package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;

/**
 * A pod that somebody else is about to remove is left to them: the scheduler for a pod that takes precedence, the taint
 * manager, the kubelet, or whoever evicted it. What comes of it shows in the pod: it goes, or the condition is taken back.
 */
final class BeingDisruptedCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return candidate.pod().beingDisrupted()
                ? Optional.of(Hold.untilChange(
                        Reason.BEING_DISRUPTED,
                        "somebody else is about to remove it, as its condition DisruptionTarget says"))
                : Optional.empty();
    }
}
