package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.plan.move.ReplicaCounts;

/**
 * The state of the cluster that a plan is made for.
 *
 * @param view the nodes, pods and other objects
 * @param resourceFit the free resources and host ports of the nodes
 * @param volumeTopology the nodes on which the volumes of claims can be used
 * @param replicaCounts the number of pods of each workload
 */
public record ClusterFacts(
        ClusterView view, ResourceFit resourceFit, VolumeTopology volumeTopology, ReplicaCounts replicaCounts) {
    /** {@return the facts of a view; free resources and pod counts are computed when they are needed} */
    public static ClusterFacts of(ClusterView view, VolumeTopology volumeTopology) {
        return new ClusterFacts(view, new ResourceFit(view), volumeTopology, new ReplicaCounts(view));
    }

    /** {@return the same facts with the node usage that an earlier plan computed} */
    public ClusterFacts with(ResourceFit known) {
        return new ClusterFacts(view, known, volumeTopology, replicaCounts);
    }
}
