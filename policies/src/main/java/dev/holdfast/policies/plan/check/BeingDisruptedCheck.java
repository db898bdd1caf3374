package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;

/**
 * Holds a pod that another component is about to remove: the scheduler by preemption, the taint manager, the kubelet,
 * or another client of the Eviction API. The hold ends when the pod's condition DisruptionTarget becomes false. The
 * disruption controller of Kubernetes withdraws a condition after two minutes if the pod is not being deleted, unless
 * the kubelet set it: then the pod fails. Source: {@code stalePodDisruptionTimeout} in
 * kubernetes/pkg/controller/disruption.
 */
final class BeingDisruptedCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return candidate.pod().beingDisrupted()
                ? Optional.of(Hold.untilChange(
                        Reason.BEING_DISRUPTED,
                        "another component is about to remove the pod, as condition DisruptionTarget of the pod shows"))
                : Optional.empty();
    }
}
