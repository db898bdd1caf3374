package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.plan.move.Replicas;

/**
 * The cluster that a plan is made for.
 *
 * @param room what pods leave of the nodes in the view
 * @param volumes where the volumes of claims can be used
 * @param replicas how many pods workloads have
 */
public record ClusterFacts(ClusterView view, Room room, Volumes volumes, Replicas replicas) {
    /** {@return a view of the cluster, with nothing counted yet} */
    public static ClusterFacts of(ClusterView view, Volumes volumes) {
        return new ClusterFacts(view, new Room(view), volumes, new Replicas(view));
    }

    /** {@return the same cluster, with the use of nodes that was counted before} */
    public ClusterFacts with(Room known) {
        return new ClusterFacts(view, known, volumes, replicas);
    }
}
