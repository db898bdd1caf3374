package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * Holds a pod whose node is going to be removed, or is being shut down, drained or in maintenance: the component that
 * does so also moves the pods, at its own pace. A node is leaving:
 *
 * <ul>
 *   <li>if its deletion has been requested;
 *   <li>if it has a taint by which the cluster autoscaler, Karpenter or an administrator announces the removal, with
 *     any value and effect. The taints {@code DeletionCandidateOfClusterAutoscaler} and {@code karpenter.sh/candidate}
 *     do not count, because most nodes with them stay;
 *   <li>if one of its conditions {@code GracefulNodeShutdownInProgress}, {@code DrainInProgress}, {@code Drained} and
 *     {@code MaintenanceInProgress} is true. {@code MaintenancePlanned} does not count, because the pods may stay until
 *     the maintenance begins. Nor does an unknown status, because it may last;
 *   <li>if it is cordoned and a pod on it is terminating, which shows a drain. Some terminating pods do not count:
 *     victims of Holdfast, mirror pods, pods of DaemonSets, finished pods, and pods whose deletion time passed at least
 *     five minutes ago.
 * </ul>
 *
 * <p>The hold for a deletion, a taint or a condition has no time limit. A PodDisruptionBudget may delay the removal for
 * hours, and an eviction would meet the same budget. A user must remove a taint or condition that was left behind; the
 * hold names it.
 */
final class LeavingNodeCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation
                .view()
                .node(candidate.node())
                .flatMap(node -> LeavingNodes.leaving(node).or(() -> drained(node, candidate.pod(), situation)));
    }

    private static Optional<Hold> drained(Node node, Pod staying, Situation situation) {
        if (!node.unschedulable()) {
            return Optional.empty();
        }
        return situation.view().podsOn(node.name()).stream()
                .filter(pod -> isDrained(pod, situation))
                .max(Comparator.comparing(LeavingNodeCheck::waitedForUntil).thenComparing(Pod::uid))
                .map(pod -> {
                    Hold hold = Hold.until(
                            Reason.NODE_LEAVING,
                            drained(node) + "pod " + pod.name() + " is being deleted from it",
                            waitedForUntil(pod));
                    return pod.namespace().equals(staying.namespace())
                            ? hold
                            : hold.redacted(drained(node) + "a pod of another namespace is being deleted from it");
                });
    }

    private static String drained(Node node) {
        return "node " + node.name() + " is being drained: it is cordoned, and ";
    }

    private static boolean isDrained(Pod pod, Situation situation) {
        return pod.terminating()
                && situation.now().isBefore(waitedForUntil(pod))
                && !situation.moves().isVictim(pod.uid())
                && !pod.finished()
                && !pod.victimProtection().mirror()
                && !pod.victimProtection().ofDaemonSet();
    }

    private static Instant waitedForUntil(Pod pod) {
        return pod.life().deletionTime().orElseThrow().plus(MoveInProgressCheck.LONG_TERMINATING);
    }
}
