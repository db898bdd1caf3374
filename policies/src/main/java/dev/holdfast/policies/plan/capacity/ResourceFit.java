package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks whether nodes have room for one more pod, as the scheduler's NodeResourcesFit and NodePorts plugins do: the
 * number of pods, the requested resources and the host ports. Every bound pod that has not finished counts, including
 * terminating ones. A node without an allocatable number of pods has room for none.
 *
 * <p>Example: pods request 3.5 of a node's 4 cores. There is no room for a pod that requests 0.6. There is room for one
 * that requests 0.5 or no CPU, even if memory is overcommitted and the pod requests none.
 *
 * <p>The usage of a node is computed on demand and cached. A caller that keeps an instance while pods change must call
 * {@link #forget} for each changed node.
 */
public final class ResourceFit {
    private final ClusterView view;
    private final Map<String, NodeUsage> known = new HashMap<>();

    /** Creates an object that checks nodes of this view. Nothing is computed yet. */
    public ResourceFit(ClusterView view) {
        this.view = view;
    }

    /** Forgets the cached usage of a node, because the node's pods changed or the node is gone. */
    public void forget(String node) {
        known.remove(node);
    }

    /**
     * {@return a check that rejects nodes without room for a pod with these requirements, besides the expected
     * replacements of moves in flight}
     */
    public NodeRejection of(PodRequirements podRequirements, PendingMoves pendingMoves) {
        return node ->
                usage(node.name(), pendingMoves.arrivingOn(node.name())).against(podRequirements, node.allocatable());
    }

    /**
     * {@return the resource of which the node has less than a pod requests; empty if it has room for the pod, or if a
     * host port of the pod is in use}
     */
    public Optional<Shortage> shortage(PodRequirements podRequirements, Node node) {
        return usage(node.name(), List.of()).shortage(podRequirements, node.allocatable());
    }

    private NodeUsage usage(String node, List<Pod> arriving) {
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
