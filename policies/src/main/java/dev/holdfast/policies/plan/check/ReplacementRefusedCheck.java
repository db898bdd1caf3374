package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.PodAdmission;
import dev.holdfast.policies.plan.capacity.Replacement;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;

/**
 * Holds a pod whose replacement the API server would refuse, for another reason than a ResourceQuota.
 *
 * <p>Example: the condition {@code ReplicaFailure} of a ReplicaSet is true, because an admission webhook refuses its
 * new pods. All its pods are held until the condition is gone.
 *
 * <p>Holdfast may not know that the API server exempts a pod, so a policy can permit such evictions: {@code allow:
 * [ReplacementRefused]}. The condition {@code ReplicaFailure} still holds the pods, and so does a LimitRange that
 * Holdfast reads. The allowance does not cover pods of other namespaces than the rule owner's.
 */
final class ReplacementRefusedCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        Pod pod = candidate.pod();
        return pod.victimProtection()
                .controller()
                .flatMap(controller -> situation.view().owner(pod.namespace(), controller.uid()))
                .flatMap(PodAdmission::failure)
                .or(() -> predicted(candidate, situation))
                .map(message -> Hold.untilChange(Reason.REPLACEMENT_REFUSED, message))
                .map(hold -> isOfAnotherTenant(candidate)
                        ? hold.redacted("the API server would refuse the replacement of a pod of another namespace")
                        : hold);
    }

    private static Optional<String> predicted(Candidate candidate, Situation situation) {
        boolean allowed =
                candidate.requestingPolicy().disruptionControls().allowed().contains(Reason.REPLACEMENT_REFUSED);
        Pod replacement = Replacement.podFor(candidate.pod(), situation.view());
        return allowed && !isOfAnotherTenant(candidate)
                ? PodAdmission.refusalOfExempt(replacement, situation.view())
                : PodAdmission.refusalOfReplacement(replacement, situation.view());
    }

    private static boolean isOfAnotherTenant(Candidate candidate) {
        return !candidate.pod().namespace().equals(candidate.owner().namespace());
    }
}
