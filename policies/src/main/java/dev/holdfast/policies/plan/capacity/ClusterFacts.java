package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.ReplicaCounts;

/**
 * The state of the cluster that a plan is made for.
 *
 * @param view the nodes, pods and other objects
 * @param resourceFit the free resources and host ports of the nodes
 * @param volumeTopology the nodes on which the volumes of claims can be used
 * @param formerNodes the states that nodes had a short time ago
 * @param replicaCounts the number of pods of each workload
 */
public record ClusterFacts(
        ClusterView view,
        ResourceFit resourceFit,
        VolumeTopology volumeTopology,
        FormerNodes formerNodes,
        ReplicaCounts replicaCounts) {
    /** {@return the facts of a view; free resources and pod counts are computed when they are needed} */
    public static ClusterFacts of(ClusterView view, VolumeTopology volumeTopology, FormerNodes formerNodes) {
        return new ClusterFacts(view, new ResourceFit(view), volumeTopology, formerNodes, new ReplicaCounts(view));
    }

    /** {@return the same facts with the node usage that an earlier plan computed} */
    public ClusterFacts with(ResourceFit known) {
        return new ClusterFacts(view, known, volumeTopology, formerNodes, replicaCounts);
    }

    /**
     * {@return whether it is not known yet if one of the rejected nodes can attach the volumes of the pod}
     *
     * @param nodeRejections the rejections of {@link #volumesOf} and of other checks
     */
    public static boolean isUncounted(NodeRejections nodeRejections) {
        return nodeRejections.include(AttachLimits.UNCOUNTED);
    }

    /**
     * {@return a check that rejects nodes on which a volume of the pod cannot be used or attached, besides the volumes
     * of the expected replacements of moves in flight}
     */
    public NodeRejection volumesOf(Pod pod, PendingMoves pendingMoves) {
        return volumeTopology.of(pod).or(new AttachLimits(view, volumeTopology).of(pod, pendingMoves));
    }
}
