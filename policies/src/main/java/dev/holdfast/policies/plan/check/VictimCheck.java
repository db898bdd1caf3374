package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Protection;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.util.Optional;
import java.util.Set;

/** Some pods are nobody's victims. */
final class VictimCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return protecting(candidate.pod(), situation.bounds().protectedNamespaces());
    }

    /** {@return why the pod is nobody's victim, whatever the rule and the moment} */
    static Optional<Hold> protecting(Pod pod, Set<String> protectedNamespaces) {
        Protection protection = pod.protection();
        if (protection.mirror()) {
            return hold(Reason.MIRROR_POD, "the kubelet runs it from a file and would bring it back on the same node");
        }
        if (protection.ofDaemonSet()) {
            return hold(Reason.DAEMON_SET_POD, "its DaemonSet decides which nodes it runs on");
        }
        if (protectedNamespaces.contains(pod.namespace())) {
            return hold(Reason.PROTECTED_NAMESPACE, "namespace " + pod.namespace() + " is protected");
        }
        if (protection.systemCritical()) {
            return hold(Reason.SYSTEM_CRITICAL, "its priority " + protection.priority() + " is system-critical");
        }
        if (protection.controller().isEmpty()) {
            return hold(Reason.NO_CONTROLLER, "nobody would replace it");
        }
        if (protection.gangMember()) {
            return hold(Reason.GANG_MEMBER, "it belongs to a group of pods that must stay whole");
        }
        return Optional.empty();
    }

    private static Optional<Hold> hold(Reason reason, String message) {
        return Optional.of(Hold.untilChange(reason, message));
    }
}
