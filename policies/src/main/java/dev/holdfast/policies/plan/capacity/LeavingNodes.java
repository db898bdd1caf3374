package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * Finds nodes that are going to be removed. Such a node is being deleted, or has a taint by which the cluster
 * autoscaler, Karpenter or an administrator announces the removal. The taint's value and effect do not matter.
 *
 * <p>The taints {@code DeletionCandidateOfClusterAutoscaler} and {@code karpenter.sh/candidate} do not count, because
 * most nodes with them stay.
 */
public final class LeavingNodes {
    private static final Set<String> TAINTS = Set.of(
            "ToBeDeletedByClusterAutoscaler",
            "karpenter.sh/disrupted",
            "karpenter.sh/disruption",
            "node.kubernetes.io/out-of-service");

    private LeavingNodes() {}

    /**
     * {@return the hold for pods of a node that is being deleted or has a taint that announces its removal} Empty for
     * all other nodes, even while they are drained.
     */
    public static Optional<Hold> marked(Node node) {
        if (node.life().deletionTime().isPresent()) {
            return Optional.of(Hold.untilChange(Reason.NODE_LEAVING, "node " + node.name() + " is being deleted"));
        }
        return node.taints().stream()
                .map(Taint::key)
                .filter(TAINTS::contains)
                .min(Comparator.naturalOrder())
                .map(taint -> Hold.untilChange(
                        Reason.NODE_LEAVING,
                        "node " + node.name() + " is going to be removed: it has the taint " + taint));
    }
}
