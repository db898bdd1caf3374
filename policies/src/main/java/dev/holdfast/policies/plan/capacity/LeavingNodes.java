package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.plan.move.Hold;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds nodes whose pods are going to be moved by another component. Such a node is being deleted, or has a taint by
 * which the cluster autoscaler, Karpenter or an administrator announces the removal, or a life-cycle condition by which
 * an administrator announces a shutdown, a drain or maintenance. The taint's value and effect do not matter.
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

    /** The prefixes of the keys of taints that Kubernetes sets after the state of a node. */
    private static final List<String> OF_STATE = List.of("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/");

    private LeavingNodes() {}

    /**
     * {@return whether a taint follows from the state of its node: cordoned, not Ready or about to be removed; false if
     * a user chose the taint}
     */
    public static boolean followsFromState(Taint taint) {
        return TAINTS.contains(taint.key()) || OF_STATE.stream().anyMatch(taint.key()::startsWith);
    }

    /**
     * {@return the hold for pods of a node that is going to be removed or has a life-cycle condition that announces a
     * shutdown, a drain or maintenance} Empty for all other nodes, even while they are drained.
     */
    public static Optional<Hold> leaving(Node node) {
        return marked(node)
                .or(() -> Optional.of(node.life().condition())
                        .filter(NodeLifecycle.Condition::leaving)
                        .map(condition -> Hold.untilChange(
                                Reason.NODE_LEAVING,
                                "node " + node.name() + " is being shut down, drained or in maintenance: its condition "
                                        + condition.type() + " is True")));
    }

    /**
     * {@return why no pod should go to the node, as a part of a message: {@code about to be removed}; empty for nodes
     * that may be targets} A life-cycle condition whose status is unknown closes the node too, because it may be true.
     */
    public static Optional<String> closed(Node node) {
        if (marked(node).isPresent()) {
            return Optional.of("about to be removed");
        }
        return switch (node.life().condition()) {
            case GRACEFUL_NODE_SHUTDOWN_IN_PROGRESS, DRAIN_IN_PROGRESS, DRAINED, MAINTENANCE_IN_PROGRESS ->
                Optional.of("being shut down, drained or in maintenance");
            case MAINTENANCE_PLANNED -> Optional.of("with maintenance planned");
            case UNKNOWN -> Optional.of("with a life-cycle condition of unknown status");
            case NONE -> Optional.empty();
        };
    }

    /**
     * {@return whether a pod is expected to stay where it is} Terminating pods do not stay, nor do pods on a node that
     * is cordoned, not Ready, about to be removed or in maintenance.
     */
    public static boolean stays(Pod pod, ClusterView view) {
        return !pod.terminating()
                && pod.nodeName()
                        .flatMap(view::node)
                        .filter(node -> node.ready()
                                && !node.unschedulable()
                                && closed(node).isEmpty())
                        .isPresent();
    }

    /**
     * {@return the hold for pods of a node that is being deleted or has a taint that announces its removal} Life-cycle
     * conditions do not count: a node that an administrator shuts down or maintains may still be lost.
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
