package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.plan.move.ReplicaCounts;

/**
 * The cluster that a plan is made for.
 *
 * @param resourceFit what pods leave of the nodes in the view
 * @param volumeTopology where the volumes of claims can be used
 * @param replicaCounts how many pods workloads have
 */
public record ClusterFacts(
        ClusterView view, ResourceFit resourceFit, VolumeTopology volumeTopology, ReplicaCounts replicaCounts) {
    /** {@return a view of the cluster, with nothing counted yet} */
    public static ClusterFacts of(ClusterView view, VolumeTopology volumeTopology) {
        return new ClusterFacts(view, new ResourceFit(view), volumeTopology, new ReplicaCounts(view));
    }

    /** {@return the same cluster, with the use of nodes that was counted before} */
    public ClusterFacts with(ResourceFit known) {
        return new ClusterFacts(view, known, volumeTopology, replicaCounts);
    }
}
