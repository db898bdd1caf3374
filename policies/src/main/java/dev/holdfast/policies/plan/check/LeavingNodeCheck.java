package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.capacity.LeavingNodes;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A pod is left to those who take its node away: they move all that is on it, and know when. A node is leaving
 *
 * <ul>
 *   <li>when its deletion has been asked for;
 *   <li>when it has a taint, whatever its value and effect, by which the cluster autoscaler, Karpenter or an administrator
 *       says so. The taints of mere candidates, {@code DeletionCandidateOfClusterAutoscaler} and
 *       {@code karpenter.sh/candidate}, do not count: most of them stay;
 *   <li>when it is cordoned and a pod is being deleted from it right now: a drain is under way. Pods that we evict
 *       ourselves, that a drain leaves alone or that have finished are no sign of that, nor are those that ought to have
 *       been gone for five minutes.
 * </ul>
 *
 * <p>The first two count for as long as they are there. When a taint was put on is not told by all, a deletion may take
 * hours by right, where a disruption budget is in its way, and to move a pod would meet the same budget. One that was left
 * behind is for somebody to take back, and the hold names it.
 */
final class LeavingNodeCheck implements Check {
    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        return situation
                .view()
                .node(candidate.node())
                .flatMap(node -> LeavingNodes.marked(node).or(() -> drained(node, situation)));
    }

    private static Optional<Hold> drained(Node node, Situation situation) {
        if (!node.unschedulable()) {
            return Optional.empty();
        }
        return situation.view().podsOn(node.name()).stream()
                .filter(pod -> isDrained(pod, situation))
                .max(Comparator.comparing(LeavingNodeCheck::waitedForUntil).thenComparing(Pod::uid))
                .map(pod -> Hold.until(
                        Reason.NODE_LEAVING,
                        "node " + node.name() + " is being drained: it is cordoned, and pod " + pod.name()
                                + " is being deleted from it",
                        waitedForUntil(pod)));
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
