package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Holds a pod of a StatefulSet that would make the replacement from another revision. Holdfast found a node for the pod
 * as it is, and the replacement may need another one. An eviction would also carry out a roll-out that a user stopped
 * or wants to do by hand.
 *
 * <p>Example: a StatefulSet with {@code updateStrategy: OnDelete} got a new pod template. Its pods of the old revision
 * are held. Pods of ReplicaSets are never held: each ReplicaSet makes its pods from one template.
 */
final class RevisionPendingCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        Pod pod = candidate.pod();
        return pod.victimProtection()
                .controller()
                .flatMap(controller -> situation.view().owner(pod.namespace(), controller.uid()))
                .flatMap(owner -> owner.revisions().flatMap(revisions -> against(pod, owner, revisions)));
    }

    private static Optional<Hold> against(Pod pod, Owner owner, StatefulSetRevisions revisions) {
        String set = "StatefulSet " + owner.name();
        OptionalInt ordinal = ordinal(pod);
        String next = revisions.observed() && ordinal.isPresent() ? revisions.ofNewPod(ordinal.getAsInt()) : "";
        if (next.isEmpty()) {
            return hold("the status of " + set + " does not say from which revision it would make the replacement");
        }
        String present = pod.labels().get(StatefulSetRevisions.LABEL).orElse("none");
        return present.equals(next)
                ? Optional.empty()
                : hold(set + " would make the replacement from revision " + next + ", and the pod is of revision "
                        + present);
    }

    private static Optional<Hold> hold(String message) {
        return Optional.of(Hold.untilChange(Reason.REVISION_PENDING, message));
    }

    /** {@return the number at the end of the pod's name, as in {@code web-2}; empty if there is none} */
    private static OptionalInt ordinal(Pod pod) {
        String name = pod.name().name();
        try {
            return OptionalInt.of(Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)));
        } catch (NumberFormatException _) {
            return OptionalInt.empty();
        }
    }
}
