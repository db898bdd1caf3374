package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.plan.move.ReplicaCounts;

/**
 * The state of the cluster that a plan is made for.
 *
 * @param resourceFit the free resources of the nodes in the view
 * @param volumeTopology the nodes on which the volumes of claims can be used
 * @param replicaCounts the pod counts of workloads
 */
public record ClusterFacts(
        ClusterView view, ResourceFit resourceFit, VolumeTopology volumeTopology, ReplicaCounts replicaCounts) {
    /** {@return the facts of a view, with nothing computed yet} */
    public static ClusterFacts of(ClusterView view, VolumeTopology volumeTopology) {
        return new ClusterFacts(view, new ResourceFit(view), volumeTopology, new ReplicaCounts(view));
    }

    /** {@return the same facts with node usage that was computed before} */
    public ClusterFacts with(ResourceFit known) {
        return new ClusterFacts(view, known, volumeTopology, replicaCounts);
    }
}
