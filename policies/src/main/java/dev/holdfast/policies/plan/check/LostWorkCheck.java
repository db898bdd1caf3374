package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;
import java.util.Set;

/**
 * Holds a pod whose eviction may lose work: the pod runs to completion, keeps files on its node, or names an eviction
 * responder. A responder saves the pod's work when an EvictionRequest asks it to. An eviction by the Eviction API asks
 * no responder. A policy can permit such evictions: {@code allow: [RunsToCompletion, LocalStorage,
 * HasEvictionResponder]}.
 */
final class LostWorkCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return losing(
                candidate.pod(),
                candidate.requestingPolicy().disruptionControls().allowed());
    }

    /** {@return the hold for the work that an eviction of the pod may lose; empty if it would lose none} */
    static Optional<Hold> losing(Pod pod, Set<Reason> allowed) {
        VictimProtection victimProtection = pod.victimProtection();
        if (victimProtection.restartPolicy() != RestartPolicy.ALWAYS && !allowed.contains(Reason.RUNS_TO_COMPLETION)) {
            return Optional.of(Hold.untilChange(
                    Reason.RUNS_TO_COMPLETION, "the pod runs to completion, and an eviction counts as a failure"));
        }
        if (victimProtection.localStorage() && !allowed.contains(Reason.LOCAL_STORAGE)) {
            return Optional.of(Hold.untilChange(
                    Reason.LOCAL_STORAGE,
                    "the pod may have files in an emptyDir on its node's disk, an ephemeral volume or a writable"
                            + " hostPath, and these files would be lost or stay behind"));
        }
        if (victimProtection.evictionResponder() && !allowed.contains(Reason.HAS_EVICTION_RESPONDER)) {
            return Optional.of(Hold.untilChange(
                    Reason.HAS_EVICTION_RESPONDER,
                    "spec.evictionResponders names a responder, which Holdfast does not ask before an eviction"));
        }
        return Optional.empty();
    }
}
