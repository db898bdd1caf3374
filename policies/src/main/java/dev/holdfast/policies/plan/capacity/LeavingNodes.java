package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * Nodes that will be removed: their deletion has begun, or they have a taint, with any value and effect, by which the cluster
 * autoscaler, Karpenter or an administrator announces the removal. The taints of mere candidates,
 * {@code DeletionCandidateOfClusterAutoscaler} and {@code karpenter.sh/candidate}, do not count: most of those nodes stay.
 */
public final class LeavingNodes {
    private static final Set<String> TAINTS = Set.of(
            "ToBeDeletedByClusterAutoscaler",
            "karpenter.sh/disrupted",
            "karpenter.sh/disruption",
            "node.kubernetes.io/out-of-service");

    private LeavingNodes() {}

    /** {@return why a node will be removed; empty if at most a drain says so} */
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
                        "node " + node.name() + " is on its way out, as its taint " + taint + " says"));
    }
}
