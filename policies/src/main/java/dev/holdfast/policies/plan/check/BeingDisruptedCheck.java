package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;

/**
 * Holds a pod that another component is about to remove: the scheduler by preemption, the taint manager, the kubelet,
 * or another client of the Eviction API. The hold ends when the pod's condition DisruptionTarget becomes false.
 */
final class BeingDisruptedCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return candidate.pod().beingDisrupted()
                ? Optional.of(Hold.untilChange(
                        Reason.BEING_DISRUPTED,
                        "another component is about to remove it, as its condition DisruptionTarget shows"))
                : Optional.empty();
    }
}
