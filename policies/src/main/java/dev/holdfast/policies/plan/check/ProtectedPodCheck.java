package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Optional;
import java.util.Set;

/**
 * Holds pods that are never evicted: mirror pods, pods of DaemonSets, system-critical pods, pods without a controller,
 * members of a gang (pods that are scheduled and deleted together), pods with claims for devices, pods that are too
 * complex to be read in full, and pods in protected namespaces.
 */
final class ProtectedPodCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return protecting(
                candidate.pod(), situation.planLimits().protectedPods().namespaces());
    }

    /** {@return the hold of a pod that is never evicted, whatever rule is broken; empty for all other pods} */
    static Optional<Hold> protecting(Pod pod, Set<String> protectedNamespaces) {
        VictimProtection victimProtection = pod.victimProtection();
        if (victimProtection.mirror()) {
            return hold(Reason.MIRROR_POD, "the kubelet runs the pod from a file and restarts it on the same node");
        }
        if (victimProtection.ofDaemonSet()) {
            return hold(Reason.DAEMON_SET_POD, "a DaemonSet decides which node the pod runs on");
        }
        if (protectedNamespaces.contains(pod.namespace())) {
            return hold(Reason.PROTECTED_NAMESPACE, "namespace " + pod.namespace() + " is protected");
        }
        if (victimProtection.systemCritical()) {
            return hold(Reason.SYSTEM_CRITICAL, "pod priority " + victimProtection.priority() + " is system-critical");
        }
        Optional<String> tooComplex = pod.scheduling().tooComplex();
        if (tooComplex.isPresent()) {
            return hold(Reason.TOO_COMPLEX, tooComplex.get());
        }
        if (victimProtection.controller().isEmpty()) {
            return hold(Reason.NO_CONTROLLER, "the pod has no controller that would replace it");
        }
        if (victimProtection.gangMember()) {
            return hold(Reason.GANG_MEMBER, "the pod belongs to a group of pods that must stay whole");
        }
        if (victimProtection.resourceClaims()) {
            return hold(
                    Reason.RESOURCE_CLAIMS,
                    "the pod has claims for devices (spec.resourceClaims), and Holdfast does not know where such"
                            + " devices are free");
        }
        return Optional.empty();
    }

    private static Optional<Hold> hold(Reason reason, String message) {
        return Optional.of(Hold.untilChange(reason, message));
    }
}
