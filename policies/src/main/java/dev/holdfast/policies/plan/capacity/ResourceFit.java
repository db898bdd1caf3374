package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether nodes have room for one pod more, as the scheduler's NodeResourcesFit and NodePorts say: for one pod more, for
 * all that it requests, and with none of its host ports in use. Every pod that is bound there and has not finished takes
 * what it reserves, one on its way out too. A node that says nothing of how many pods it takes has room for none.
 *
 * <p>Example: of a node with 4 cores pods take 3.5. There is no room for one that requests 0.6, and room for one that
 * requests 0.5 or none, were the node out of memory even.
 *
 * <p>What is taken of a node is summed up when somebody asks for it, and remembered until it is forgotten: whoever keeps
 * one while pods change says of each node what to forget.
 */
public final class ResourceFit {
    private final ClusterView view;
    private final Map<String, NodeUsage> known = new HashMap<>();

    /** Room on the nodes of a view. */
    public ResourceFit(ClusterView view) {
        this.view = view;
    }

    /** Forgets what is taken of a node: its pods changed, or it is gone. */
    public void forget(String node) {
        known.remove(node);
    }

    /** {@return an objection to nodes without room for a pod with these needs, beside those who arrive there} */
    public NodeRejection of(PodRequirements podRequirements, PendingMoves pendingMoves) {
        return node ->
                taken(node.name(), pendingMoves.arrivingOn(node.name())).against(podRequirements, node.allocatable());
    }

    private NodeUsage taken(String node, List<Pod> arriving) {
        if (arriving.isEmpty()) {
            return known.computeIfAbsent(node, this::sum);
        }
        NodeUsage nodeUsage = sum(node);
        arriving.forEach(pod -> nodeUsage.add(pod.podRequirements()));
        return nodeUsage;
    }

    private NodeUsage sum(String node) {
        NodeUsage nodeUsage = new NodeUsage();
        for (Pod pod : view.podsOn(node)) {
            if (pod.counts()) {
                nodeUsage.add(pod.podRequirements());
            }
        }
        return nodeUsage;
    }
}
